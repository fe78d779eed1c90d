/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Place lists and the placement of team members, on machines that exist only as a folder of sysfs
 * files written by this test. Expectations are from OpenMP 5.1, 2.6.2 and 6.5.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "made-files.h"
#include "places.h"
#include "topology.h"

static int failures;

static void expect(bool held, const char *what, const char *found, const char *wanted)
{
	if (held)
		return;
	fprintf(stderr, "%s: expected '%s', found '%s'\n", what, wanted, found);
	failures++;
}

static char sysfs[64];

static void put(const char *name, const char *text)
{
	put_file(sysfs, name, text);
}

/* Two sockets of two cores of two threads; threads of a core are four apart, as Linux counts them.
 */
static void make_machine(void)
{
	static const char *const cores[] = {"0,4", "1,5", "2,6", "3,7"};
	static const char *const sockets[] = {"0-1,4-5", "2-3,6-7"};
	char name[128];

	for (int i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "cpu/cpu%d/topology/thread_siblings_list", i);
		put(name, cores[i % 4]);
		snprintf(name, sizeof(name), "cpu/cpu%d/topology/core_siblings_list", i);
		put(name, sockets[i % 4 / 2]);
		snprintf(name, sizeof(name), "cpu/cpu%d/cache/index0/shared_cpu_list", i);
		put(name, cores[i % 4]);
		snprintf(name, sizeof(name), "cpu/cpu%d/cache/index3/shared_cpu_list", i);
		put(name, "0-7\n");
	}
	put("node/online", "0,2\n");
	put("node/node0/cpulist", "0-1,4-5\n");
	put("node/node2/cpulist", "2-3,6-7\n");
}

struct place_case {
	const char *text;
	const char *usable; /* processors of the process, as GOMP_CPU_AFFINITY takes them */
	const char *places; /* "" : not a place list */
	unsigned dropped;
};

static const struct place_case place_cases[] = {
    {"threads", "0-7", "{0},{4},{1},{5},{2},{6},{3},{7}", 0},
    {"THREADS(3)", "0-7", "{0},{4},{1}", 0},
    {"cores", "0-7", "{0,4},{1,5},{2,6},{3,7}", 0},
    {" cores ( 2 ) ", "0-7", "{0,4},{1,5}", 0},
    {"cores", "1-4", "{1},{4},{2},{3}", 0},
    {"ll_caches", "0-7", "{0:8}", 0},
    {"numa_domains", "0-7", "{0:2,4:2},{2:2,6:2}", 0},
    {"sockets", "0-7", "{0:2,4:2},{2:2,6:2}", 0},
    {"sockets", "6", "{6}", 0},
    {"sockets(9)", "0-7", "{0:2,4:2},{2:2,6:2}", 0},
    {"sockets(0)", "0-7", "", 0},
    {"sockets(", "0-7", "", 0},
    {"socket", "0-7", "", 0},
    {"coresx", "0-7", "", 0},
    {"{0},{1},{2}", "0-7", "{0},{1},{2}", 0},
    {"{0,1,2},{3,4,6}", "0-7", "{0:3},{3:2,6}", 0},
    {"{0:2}:4:2", "0-7", "{0:2},{2:2},{4:2},{6:2}", 0},
    {"{0:2:4}", "0-7", "{0,4}", 0},
    {"{ 6 : 3 : -2 }", "0-7", "{2,4,6}", 0},
    {"{0}:3:2,{1}", "0-7", "{0},{2},{4},{1}", 0},
    {"{7}:3:-3", "0-7", "{7},{4},{1}", 0},
    {"{0:8,!3}", "0-7", "{0:3,4:4}", 0},
    {"{0:2}:3:2,!{2:2}", "0-7", "{0:2},{4:2}", 0},
    {"{0},{0}", "0-7", "{0},{0}", 0},
    {"{0},{9}", "0-7", "{0}", 1},
    {"{0:2}:6:2", "0-7", "{0:2},{2:2},{4:2},{6:2}", 2},
    {"{0,9}", "0-7", "{0}", 0},
    {"{0},{1}", "0", "{0}", 1},
    {"{9}", "0-7", "", 0},
    {"{0},!{1}", "0-7", "", 0},
    {"{0:2:-1}", "0-7", "", 0},
    {"{0}:2:-1", "0-7", "", 0},
    {"{0:0}", "0-7", "", 0},
    {"{0:2:0}", "0-7", "", 0},
    {"{}", "0-7", "", 0},
    {"{0", "0-7", "", 0},
    {"{0}x", "0-7", "", 0},
    {"{0},", "0-7", "", 0},
    {"{-1}", "0-7", "", 0},
    {"{99999999999999999999}", "0-7", "", 0},
    {"", "0-7", "", 0},
};

static const struct place_case affinity_cases[] = {
    {"0", "0-7", "{0}", 0},
    {"0 3 1-2 4-7:2", "0-7", "{0},{3},{1},{2},{4},{6}", 0},
    {"0,3,1-2", "0-7", "{0},{3},{1},{2}", 0},
    {"6-9", "0-7", "{6},{7}", 2},
    {"1 0 1", "0-7", "{1},{0},{1}", 0},
    {"8", "0-7", "", 0},
    {"3-1", "0-7", "", 0},
    {"0-4:0", "0-7", "", 0},
    {"x", "0-7", "", 0},
    {"0-", "0-7", "", 0},
    {"", "0-7", "", 0},
};

static struct rt_processors make_set(const char *list)
{
	struct rt_processors set, all;
	struct rt_places places = {NULL, 0, 0};
	uint32_t dropped;

	if (!rt_processors_init(&set, 8) || !rt_processors_init(&all, 8))
		exit(1);
	memset(all.words, 0xff, all.bytes);
	if (!rt_places_parse_affinity(&places, list, &all, &dropped))
		exit(1);
	for (uint32_t i = 0; i < places.count; i++) {
		struct rt_processors place = rt_places_get(&places, i);
		rt_processors_add(&set, rt_processors_next(&place, 0));
	}
	rt_places_finish(&places);
	rt_processors_finish(&all);
	return set;
}

static void test_place_list(const struct place_case *test, bool affinity)
{
	struct rt_processors usable = make_set(test->usable);
	struct rt_places places = {NULL, 0, 0};
	uint32_t dropped = 0;
	struct rt_text text;
	char found[256];

	bool good = affinity ? rt_places_parse_affinity(&places, test->text, &usable, &dropped)
			     : rt_places_parse(&places, test->text, sysfs, &usable, &dropped);
	rt_text_init(&text, found, sizeof(found));
	rt_places_print(&places, &text);
	expect(strcmp(found, test->places) == 0, test->text, found, test->places);
	expect(good == (*test->places != '\0'), test->text, good ? "accepted" : "refused",
	    good ? "refused" : "accepted");
	if (good && dropped != test->dropped) {
		fprintf(stderr, "%s: expected %u dropped, found %u\n", test->text, test->dropped,
		    dropped);
		failures++;
	}
	rt_places_finish(&places);
	rt_processors_finish(&usable);
}

struct placement_case {
	enum rt_bind bind;
	uint32_t place, first, length; /* of the primary thread */
	uint32_t size;
	const char *members; /* place:first+length of each */
};

static const struct placement_case placement_cases[] = {
    {RT_BIND_PRIMARY, 2, 0, 4, 3, "2:0+4 2:0+4 2:0+4"},
    {RT_BIND_CLOSE, 0, 0, 4, 3, "0:0+4 1:0+4 2:0+4"},
    {RT_BIND_CLOSE, 2, 0, 4, 4, "2:0+4 3:0+4 0:0+4 1:0+4"},
    {RT_BIND_CLOSE, 5, 4, 2, 2, "5:4+2 4:4+2"},
    {RT_BIND_CLOSE, 0, 0, 2, 5, "0:0+2 0:0+2 0:0+2 1:0+2 1:0+2"},
    {RT_BIND_CLOSE, 1, 0, 3, 6, "1:0+3 1:0+3 2:0+3 2:0+3 0:0+3 0:0+3"},
    {RT_BIND_TRUE, 1, 0, 2, 2, "1:0+2 0:0+2"},
    {RT_BIND_SPREAD, 0, 0, 8, 4, "0:0+2 2:2+2 4:4+2 6:6+2"},
    {RT_BIND_SPREAD, 0, 0, 8, 3, "0:0+3 3:3+3 6:6+2"},
    {RT_BIND_SPREAD, 3, 0, 8, 4, "3:2+2 4:4+2 6:6+2 0:0+2"},
    {RT_BIND_SPREAD, 7, 4, 4, 2, "7:6+2 4:4+2"},
    {RT_BIND_SPREAD, 0, 0, 4, 4, "0:0+1 1:1+1 2:2+1 3:3+1"},
    {RT_BIND_SPREAD, 1, 0, 2, 4, "1:1+1 1:1+1 0:0+1 0:0+1"},
    {RT_BIND_SPREAD, 5, 5, 1, 3, "5:5+1 5:5+1 5:5+1"},
};

static void test_placement(const struct placement_case *test)
{
	struct rt_placement primary = {test->place, test->first, test->length};
	char found[256], what[64];
	struct rt_text text;

	rt_text_init(&text, found, sizeof(found));
	for (uint32_t i = 0; i < test->size; i++) {
		struct rt_placement member;
		rt_place_member(&member, &primary, test->size, i, test->bind);
		rt_text_add(&text, "%s%u:%u+%u", i > 0 ? " " : "", member.place,
		    member.partition_first, member.partition_length);
	}
	snprintf(what, sizeof(what), "policy %d, %u threads in %u places from %u", test->bind,
	    test->size, test->length, test->place);
	expect(strcmp(found, test->members) == 0, what, found, test->members);
}

/* Whatever the numbers: everybody inside the partition, everybody's own partition inside it too. */
static void test_placement_bounds(void)
{
	for (uint32_t length = 1; length <= 9; length++)
		for (uint32_t size = 1; size <= 20; size++)
			for (uint32_t place = 3; place < 3 + length; place++)
				for (int bind = RT_BIND_TRUE; bind <= RT_BIND_SPREAD; bind++) {
					struct rt_placement primary = {place, 3, length}, member;
					uint32_t load[12] = {0}, most = 0;
					for (uint32_t i = 0; i < size; i++) {
						rt_place_member(&member, &primary, size, i, bind);
						if (i == 0 && member.place != place)
							failures++;
						if (member.place - 3 >= length ||
						    member.partition_first < 3 ||
						    member.place - member.partition_first >=
							member.partition_length ||
						    member.partition_first +
							    member.partition_length >
							3 + length) {
							failures++;
							return;
						}
						if (++load[member.place - 3] > most)
							most = load[member.place - 3];
					}
					if (bind != RT_BIND_PRIMARY &&
					    most > (size + length - 1) / length) {
						fprintf(stderr,
						    "policy %d: %u of %u in a place of %u\n", bind,
						    most, size, length);
						failures++;
					}
				}
}

/* Places of processors 2 to 7: four begin on the second socket, and all share the cache. */
static void test_sites(void)
{
	struct rt_processors usable = make_set("2-7");
	struct rt_places places = {NULL, 0, 0};
	struct rt_site *sites = NULL;
	uint32_t dropped;

	if (rt_places_parse(&places, "{2},{4},{3},{5},{6},{7}", sysfs, &usable, &dropped))
		sites = rt_topology_read(&places, &usable, sysfs);
	if (sites == NULL) {
		failures++;
	} else {
		static const bool is_second[] = {true, false, true, false, true, true};
		for (uint32_t i = 0; i < 6; i++) {
			if ((sites[i].socket == sites[0].socket) != is_second[i] ||
			    sites[i].cache != sites[0].cache ||
			    sites[i].node != (is_second[i] ? 2 : 0)) {
				fprintf(stderr, "place %u: socket %u, cache %u, node %d\n", i,
				    sites[i].socket, sites[i].cache, sites[i].node);
				failures++;
			}
		}
	}
	if (rt_processors_nodes(sysfs) != 2 || rt_processors_node(sysfs, 8) != -1)
		failures++;
	free(sites);
	rt_places_finish(&places);
	rt_processors_finish(&usable);
}

int main(void)
{
	strcpy(sysfs, "/tmp/places-XXXXXX");
	if (!mkdtemp(sysfs)) {
		perror(sysfs);
		return 1;
	}
	make_machine();
	for (size_t i = 0; i < sizeof(place_cases) / sizeof(place_cases[0]); i++)
		test_place_list(&place_cases[i], false);
	for (size_t i = 0; i < sizeof(affinity_cases) / sizeof(affinity_cases[0]); i++)
		test_place_list(&affinity_cases[i], true);
	for (size_t i = 0; i < sizeof(placement_cases) / sizeof(placement_cases[0]); i++)
		test_placement(&placement_cases[i]);
	test_placement_bounds();
	test_sites();
	char command[96];
	snprintf(command, sizeof(command), "rm -r %s", sysfs);
	if (system(command) != 0)
		failures++;
	return failures != 0;
}
