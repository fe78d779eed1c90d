/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processor sets, and the machine's topology as sysfs describes it. Nothing here is cached, since a
 * process makes its place list once.
 */
#include "processors.h"
#include "shared/precondition.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value-scan.h"

enum { WORD_BITS = CHAR_BIT * sizeof(unsigned long) };

/* Far more processors than Linux can be built for; ends the search for a size. */
enum { MOST_PROCESSORS = 1 << 20 };

bool rt_processors_init(struct rt_processors *set, size_t count)
{
	size_t words = (count + WORD_BITS - 1) / WORD_BITS;

	set->bytes = (words > 0 ? words : 1) * sizeof(unsigned long);
	set->words = calloc(1, set->bytes);
	return set->words != NULL;
}

bool rt_processors_init_copy(struct rt_processors *set, const struct rt_processors *from)
{
	if (!rt_processors_init(set, rt_processors_capacity(from)))
		return false;
	memcpy(set->words, from->words, from->bytes);
	return true;
}

/*
 * The kernel refuses a set smaller than its own with EINVAL, and does not report how large that is.
 */
bool rt_processors_init_allowed(struct rt_processors *set)
{
	for (size_t count = 1024; count <= MOST_PROCESSORS; count *= 2) {
		if (!rt_processors_init(set, count))
			return false;
		if (sched_getaffinity(0, set->bytes, (cpu_set_t *)set->words) == 0) {
			while (set->bytes > sizeof(unsigned long) &&
			       set->words[set->bytes / sizeof(unsigned long) - 1] == 0)
				set->bytes -= sizeof(unsigned long);
			return true;
		}
		int reason = errno;
		rt_processors_finish(set);
		if (reason != EINVAL)
			return false;
	}
	return false;
}

uint32_t rt_processors_count_allowed(void)
{
	unsigned long few[1024 / WORD_BITS] = {0};
	struct rt_processors set = {few, sizeof(few)};
	uint32_t count;

	if (sched_getaffinity(0, set.bytes, (cpu_set_t *)set.words) == 0)
		return (uint32_t)rt_processors_count(&set);
	if (errno != EINVAL || !rt_processors_init_allowed(&set))
		return 0;
	count = (uint32_t)rt_processors_count(&set);
	rt_processors_finish(&set);
	return count;
}

void rt_processors_finish(struct rt_processors *set)
{
	free(set->words);
	set->words = NULL;
	set->bytes = 0;
}

size_t rt_processors_capacity(const struct rt_processors *set)
{
	return set->bytes * CHAR_BIT;
}

bool rt_processors_has(const struct rt_processors *set, size_t number)
{
	return number < rt_processors_capacity(set) &&
	       (set->words[number / WORD_BITS] >> number % WORD_BITS & 1) != 0;
}

void rt_processors_add(struct rt_processors *set, size_t number)
{
	if (number < rt_processors_capacity(set))
		set->words[number / WORD_BITS] |= 1ul << number % WORD_BITS;
}

void rt_processors_remove(struct rt_processors *set, size_t number)
{
	if (number < rt_processors_capacity(set))
		set->words[number / WORD_BITS] &= ~(1ul << number % WORD_BITS);
}

size_t rt_processors_count(const struct rt_processors *set)
{
	size_t count = 0;

	for (size_t i = 0; i < set->bytes / sizeof(unsigned long); i++)
		count += (size_t)__builtin_popcountl(set->words[i]);
	return count;
}

size_t rt_processors_next(const struct rt_processors *set, size_t from)
{
	size_t capacity = rt_processors_capacity(set);

	while (from < capacity) {
		unsigned long rest = set->words[from / WORD_BITS] >> from % WORD_BITS;
		if (rest != 0)
			return from + (size_t)__builtin_ctzl(rest);
		from = (from / WORD_BITS + 1) * WORD_BITS;
	}
	return capacity;
}

/*
 * Reads a list such as 0-3,8,10-11 from a file of sysfs and adds its members that are in `within`.
 * Returns false, with nothing added, if the file is missing or does not list `number`.
 */
static bool read_list(const char *path, const struct rt_processors *within, size_t number,
    struct rt_processors *group)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	bool found = false;

	if (!file)
		return false;
	memset(group->words, 0, group->bytes);
	if (getline(&line, &size, file) > 0) {
		const char *text = line;
		uint64_t first, last;
		while (rt_scan_number(&text, MOST_PROCESSORS, &first)) {
			last = first;
			if (rt_scan_char(&text, '-') &&
			    !rt_scan_number(&text, MOST_PROCESSORS, &last))
				break;
			found = found || (first <= number && number <= last);
			for (size_t i = rt_processors_next(within, first);
			     i <= last && i < rt_processors_capacity(within);
			     i = rt_processors_next(within, i + 1))
				rt_processors_add(group, i);
			if (!rt_scan_char(&text, ','))
				break;
		}
	}
	free(line);
	fclose(file);
	return found;
}

/* The cache that comes last in the processor's list is the one farthest from it. */
static bool read_last_cache(const char *sysfs, const struct rt_processors *within, size_t number,
    struct rt_processors *group)
{
	char path[256];

	for (int index = 9; index >= 0; index--) {
		snprintf(path, sizeof(path), "%s/cpu/cpu%zu/cache/index%d/shared_cpu_list", sysfs,
		    number, index);
		if (read_list(path, within, number, group))
			return true;
	}
	return false;
}

enum { MOST_NODES = 4096 };

/* A set that contains all of `count` numbers. */
static bool init_full(struct rt_processors *set, size_t count)
{
	if (!rt_processors_init(set, count))
		return false;
	memset(set->words, 0xff, set->bytes);
	return true;
}

/* Reads the numbers of nodes, which may have gaps, into an empty set of MOST_NODES. */
static bool read_nodes(const char *sysfs, struct rt_processors *nodes)
{
	struct rt_processors all = {NULL, 0};
	char path[256];

	if (!init_full(&all, MOST_NODES))
		return false;
	snprintf(path, sizeof(path), "%s/node/online", sysfs);
	read_list(path, &all, 0, nodes); /* node lists have the same form */
	rt_processors_finish(&all);
	return true;
}

/*
 * Finds the node with the member `number` of `within`, and the other members of `within` on that
 * node.
 */
static int32_t read_node(const char *sysfs, const struct rt_processors *within, size_t number,
    struct rt_processors *group)
{
	struct rt_processors nodes = {NULL, 0};
	int32_t found = -1;
	char path[256];

	if (!rt_processors_init(&nodes, MOST_NODES) || !read_nodes(sysfs, &nodes)) {
		rt_processors_finish(&nodes);
		return -1;
	}
	for (size_t node = rt_processors_next(&nodes, 0);
	     found < 0 && node < rt_processors_capacity(&nodes);
	     node = rt_processors_next(&nodes, node + 1)) {
		snprintf(path, sizeof(path), "%s/node/node%zu/cpulist", sysfs, node);
		if (read_list(path, within, number, group))
			found = (int32_t)node;
	}
	rt_processors_finish(&nodes);
	return found;
}

int32_t rt_processors_node(const char *sysfs, size_t number)
{
	struct rt_processors within = {NULL, 0}, group = {NULL, 0};
	int32_t node = -1;

	if (rt_processors_init(&within, number + 1) && rt_processors_init(&group, number + 1)) {
		rt_processors_add(&within, number);
		node = read_node(sysfs, &within, number, &group);
	}
	rt_processors_finish(&within);
	rt_processors_finish(&group);
	return node;
}

size_t rt_processors_nodes(const char *sysfs)
{
	struct rt_processors nodes = {NULL, 0};
	size_t count = 0;

	if (rt_processors_init(&nodes, MOST_NODES) && read_nodes(sysfs, &nodes))
		count = rt_processors_count(&nodes);
	rt_processors_finish(&nodes);
	return count;
}

void rt_processors_sharing(const char *sysfs, enum rt_sharing sharing,
    const struct rt_processors *within, size_t number, struct rt_processors *group)
{
	CHECK(group->bytes == within->bytes, "both sets have one capacity");
	CHECK(rt_processors_has(within, number), "the set has the processor");

	bool known = false;
	char path[256];

	switch (sharing) {
	case RT_SHARE_THREAD:
		break;
	case RT_SHARE_CORE:
		snprintf(path, sizeof(path), "%s/cpu/cpu%zu/topology/thread_siblings_list", sysfs,
		    number);
		known = read_list(path, within, number, group);
		break;
	case RT_SHARE_CACHE:
		known = read_last_cache(sysfs, within, number, group);
		break;
	case RT_SHARE_NODE:
		known = read_node(sysfs, within, number, group) >= 0;
		break;
	case RT_SHARE_SOCKET:
		snprintf(
		    path, sizeof(path), "%s/cpu/cpu%zu/topology/core_siblings_list", sysfs, number);
		known = read_list(path, within, number, group);
		break;
	}
	if (known)
		return;
	if (sharing > RT_SHARE_CORE) {
		memcpy(group->words, within->words, within->bytes);
	} else {
		memset(group->words, 0, group->bytes);
		rt_processors_add(group, number);
	}
}
