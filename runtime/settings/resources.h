/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What of the machine this process may use: the processors of its affinity mask, and how much of
 * their time the quota of its control groups leaves. The default number of threads follows both,
 * and so do waits: a thread that spins takes from a quota what the thread that it waits for needs.
 */
#ifndef RT_RESOURCES_H
#define RT_RESOURCES_H
#include <stdbool.h>
#include <stdint.h>

struct rt_process;
struct rt_task_icvs;

/* The words of OMPINST_RESOURCES, which limits are followed. */
enum rt_resource {
	RT_RESOURCE_QUOTA = 1,    /* of control groups */
	RT_RESOURCE_AFFINITY = 2, /* of a thread when it becomes an initial thread */
	RT_RESOURCE_CHANGES = 4,  /* of both while the program runs, where dyn-var is true */
	RT_RESOURCE_ROOTS = 8, /* other threads of the program that fork, where dyn-var is true */
	RT_RESOURCE_ALL = 15
};

/* What a team's threads lack. Waits differ by it, see rt_spin_begin(). */
enum rt_shortage {
	RT_SHORTAGE_NONE,
	RT_SHORTAGE_PROCESSORS, /* there are more of them than processors */
	RT_SHORTAGE_TIME        /* the quota does not keep all of them running */
};

/*
 * Sets process->processors and what goes with it: from the affinity mask in process->allowed; and
 * from the quota, where that is followed. The former when the library is loaded, the latter, which
 * takes 0.1 ms and more, before the first use of what follows from it. By one thread alone.
 */
void rt_resources_read_mask(struct rt_process *process);
void rt_resources_read_quota(struct rt_process *process);

/*
 * Processors for the calling thread: of its mask at this moment, at most as many as the quota keeps
 * running, at least 1. Where threads are bound, the mask is the runtime's doing: then those of the
 * process.
 */
uint32_t rt_resources_processors(void);

/* The default number of threads for a thread that becomes an initial thread now; 0: as it was. */
uint32_t rt_resources_initial_threads(void);

/*
 * The team's size where dyn-var is true: what was asked for, but no more than the processors. A
 * default that nobody set follows these. Looks at the machine again when the last look is half a
 * second ago.
 *   clause  of num_threads, 0: none
 */
uint32_t rt_resources_dynamic_size(const struct rt_task_icvs *icvs, uint32_t clause);

/*
 * Where dyn-var is true, for a region that is no other's inner one: its share of the processors if
 * other such regions are active, which other threads forked; at most `size`. Each has what the
 * others leave, and no less than if all had the same. The region that is begun so takes its threads
 * when their number is known, 1 or more, and returns the same number at its end.
 */
uint32_t rt_resources_share(uint32_t size);
void rt_resources_take(uint32_t threads);
void rt_resources_return(uint32_t threads);

/* What so many threads lack that run at once. */
enum rt_shortage rt_resources_shortage(uint32_t threads);

/* OMP_DISPLAY_ENV=verbose: one line on where the default comes from, one on what was not usable. */
void rt_resources_report(void);

#endif
