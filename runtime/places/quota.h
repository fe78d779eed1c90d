/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processor time that control groups grant to this process (Linux's CFS bandwidth control). It
 * is not part of the affinity mask: a container with a quota of one processor sees all processors,
 * and when the process's threads have used up the quota, the kernel stops them all for the rest of
 * the period.
 */
#ifndef RT_QUOTA_H
#define RT_QUOTA_H
#include <stdbool.h>
#include <stdint.h>

/* The smallest quota of the process's own groups and of the enclosing ones. */
struct rt_quota {
	uint64_t time, period; /* time in each period, in us; period 0: no quota */
	char *file;            /* from malloc(): the file with the quota; NULL: no quota */
	char *problem;         /* from malloc(): which file was not usable, and why; NULL: none */
};

/*
 * Reads the groups of version 1 and 2 from /proc/self/cgroup and /proc/self/mountinfo. Files that
 * are missing or have another form than the kernel's count as no quota. root precedes every path:
 * "" except in tests.
 */
void rt_quota_read(const char *root, struct rt_quota *quota);
void rt_quota_finish(struct rt_quota *quota);

/*
 * Number of threads that the quota keeps running: rounded up, and down. UINT32_MAX without a quota.
 */
uint32_t rt_quota_processors(const struct rt_quota *quota);
uint32_t rt_quota_whole_processors(const struct rt_quota *quota);

#endif
