/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sets of processors, of any size, and which processors of this machine share a core, a cache, a
 * NUMA node or a socket (from Linux's sysfs).
 */
#ifndef RT_PROCESSORS_H
#define RT_PROCESSORS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set; words has bytes / sizeof(long) members, as sched_setaffinity() takes it. */
struct rt_processors {
	unsigned long *words;
	size_t bytes;
};

/* Makes an empty set for processors 0 .. count - 1; false if there is no memory. */
bool rt_processors_init(struct rt_processors *set, size_t count);
/* The set that the calling thread may run on, trimmed to its highest member. */
bool rt_processors_init_allowed(struct rt_processors *set);
/* Makes a copy; false if there is no memory. */
bool rt_processors_init_copy(struct rt_processors *set, const struct rt_processors *from);
/* How many processors the calling thread may run on now; 0 if the kernel does not report it. */
uint32_t rt_processors_count_allowed(void);
void rt_processors_finish(struct rt_processors *set);

/*
 * A set has room for the numbers 0 .. capacity - 1; for other numbers `has` returns false and `add`
 * has no effect.
 */
size_t rt_processors_capacity(const struct rt_processors *set);
bool rt_processors_has(const struct rt_processors *set, size_t number);
void rt_processors_add(struct rt_processors *set, size_t number);
void rt_processors_remove(struct rt_processors *set, size_t number);
size_t rt_processors_count(const struct rt_processors *set);
/* The first member >= from, or the capacity. */
size_t rt_processors_next(const struct rt_processors *set, size_t from);

/* What processors can share, from the smallest to the largest. */
enum rt_sharing { RT_SHARE_THREAD, RT_SHARE_CORE, RT_SHARE_CACHE, RT_SHARE_NODE, RT_SHARE_SOCKET };

/*
 * Stores the members of `within` that share the given thing with the member `number` in `group`,
 * which has the capacity of `within`. sysfs is the folder that contains cpu/ and node/. If that
 * gives no answer, a core is one processor and everything larger is the whole machine.
 */
void rt_processors_sharing(const char *sysfs, enum rt_sharing sharing,
    const struct rt_processors *within, size_t number, struct rt_processors *group);

/* The kernel's number of a processor's node; -1: sysfs does not list it. */
int32_t rt_processors_node(const char *sysfs, size_t number);
/* How many nodes there are; 0: sysfs does not list them. */
size_t rt_processors_nodes(const char *sysfs);

#endif
