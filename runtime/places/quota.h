/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processor time that control groups grant to this process (Linux's CFS bandwidth control). It
 * is no part of the affinity mask: a container with a quota of one processor sees all of them, and
 * the kernel stops all its threads for the rest of each period in which they have used the quota
 * up.
 */
#ifndef RT_QUOTA_H
#define RT_QUOTA_H
#include <stdbool.h>
#include <stdint.h>

/* The smallest quota of the process's own groups and of those around them. */
struct rt_quota {
	uint64_t time, period; /* microseconds in each so many; period 0: there is no quota */
	char *file;            /* heap: where that stands; NULL without a quota */
	char *problem;         /* heap: what file could not be used, and why; NULL: none */
};

/*
 * Reads the groups of version 1 and 2 by /proc/self/cgroup and /proc/self/mountinfo. What is
 * missing or has another form than the kernel's is no quota. root goes in front of every path: ""
 * but for tests.
 */
void rt_quota_read(const char *root, struct rt_quota *quota);
void rt_quota_finish(struct rt_quota *quota);

/* Threads that the quota keeps running: rounded up, and down. UINT32_MAX without a quota. */
uint32_t rt_quota_processors(const struct rt_quota *quota);
uint32_t rt_quota_whole_processors(const struct rt_quota *quota);

#endif
