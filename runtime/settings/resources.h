/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which part of the machine this process may use: the processors of its affinity mask, and how much
 * of their time the quota of its control groups leaves. The default number of threads follows both,
 * and so do waits: a thread that spins uses up quota that the awaited thread needs.
 */
#ifndef RT_RESOURCES_H
#define RT_RESOURCES_H
#include <stdbool.h>
#include <stdint.h>

struct rt_process;
struct rt_task_icvs;

/* The words of OMPINST_RESOURCES: the limits that are followed. */
enum rt_resource {
	RT_RESOURCE_QUOTA = 1,    /* the quota of control groups */
	RT_RESOURCE_AFFINITY = 2, /* the mask of a thread that becomes an initial thread */
	RT_RESOURCE_CHANGES = 4,  /* both, while the program runs, if dyn-var is true */
	RT_RESOURCE_ROOTS = 8,    /* regions of other threads, if dyn-var is true */
	RT_RESOURCE_ALL = 15
};

/* What a team's threads lack. Waits depend on it, see rt_spin_begin(). */
enum rt_shortage {
	RT_SHORTAGE_NONE,
	RT_SHORTAGE_PROCESSORS, /* there are more threads than processors */
	RT_SHORTAGE_TIME        /* the quota does not keep all of them running */
};

/*
 * Set process->processors and the members next to it: the first function from the affinity mask in
 * process->allowed, when the library is loaded; the second one from the quota, if that is followed,
 * before the first use of the result, since it takes 0.1 ms and more. Only one thread calls them.
 */
void rt_resources_read_mask(struct rt_process *process);
void rt_resources_read_quota(struct rt_process *process);

/*
 * The number of processors for the calling thread: those of its current mask, at most as many as
 * the quota keeps running, at least 1. If threads are bound, the runtime has set that mask; then
 * those of the process.
 */
uint32_t rt_resources_processors(void);

/* The default number of threads for a thread that becomes an initial thread now; 0: unchanged. */
uint32_t rt_resources_initial_threads(void);

/*
 * The team's size if dyn-var is true: what was requested, but no more than the processors. A
 * default that was not set follows the processors. Reads the machine's limits again if that was
 * half a second ago.
 *   clause  of num_threads, 0: none
 */
uint32_t rt_resources_dynamic_size(const struct rt_task_icvs *icvs, uint32_t clause);

/*
 * If dyn-var is true, for a region that is not inside another one: its share of the processors if
 * other such regions, which other threads forked, are active; at most `size`. Each region gets what
 * the others leave, and no less than if all had the same. A region that begins so takes its threads
 * when their number is known, and returns the same number at its end.
 */
uint32_t rt_resources_share(uint32_t size);
void rt_resources_take(uint32_t threads);
void rt_resources_return(uint32_t threads);

/* What `threads` threads lack if they run at once. */
enum rt_shortage rt_resources_shortage(uint32_t threads);

/*
 * For OMP_DISPLAY_ENV=verbose: prints a line on where the default comes from, and one on what was
 * not usable.
 */
void rt_resources_report(void);

#endif
