/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernel counted of the whole process while measuring was on, threads that ended included.
 */
#ifndef PROCESS_USAGE_H
#define PROCESS_USAGE_H

#include "group-quota.h"
#include "thread-usage.h"

struct pomp_process_usage {
	uint64_t ran, system; /* ns: processor time, and the part in the kernel */
	uint64_t faults;      /* page faults, minor and major */
	struct pomp_group_quota quota;
	uint64_t online; /* processors of the machine */
	uint64_t bound;  /* those on which the threads could run at the end; 0: unknown */
	bool is_known;   /* the kernel said the first three at the start and at the end */
};

/* The reading at the start, also for other processes that read this one's memory. */
extern struct pomp_process_usage pomp_usage_at_start __attribute__((visibility("hidden")));

/* Returns what was counted between two readings. */
struct pomp_process_usage pomp_process_usage_between(
    const struct pomp_process_usage *start, const struct pomp_process_usage *end);

/* Nothing of the process is known before the start, and nothing after the end changes it. */
void pomp_process_usage_start(void);
void pomp_process_usage_end(void);

/* Returns what was counted between them. */
struct pomp_process_usage pomp_process_usage(void);

/*
 * Measures what the kernel takes for one page fault here, at least: the first use of a small page
 * of anonymous memory, in ns. UINT64_MAX: memory ran out.
 */
uint64_t pomp_fault_cost(void);

/*
 * Takes the figures that pomp_process_usage_start() read of its thread, which is the initial one;
 * false: another thread called it, or they were taken before.
 */
bool pomp_process_usage_take_initial(struct pomp_usage *usage);

#endif
