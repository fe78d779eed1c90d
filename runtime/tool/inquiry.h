/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the calling thread is doing: entry points for tools, which may call them anywhere, also in
 * signal handlers.
 */
#ifndef RT_INQUIRY_H
#define RT_INQUIRY_H
#include "omp-tools.h"

/* 19.6.5: NULL: the thread has not used the runtime. */
ompt_data_t *rt_inquire_thread_data(void);

/*
 * Not in the specification. In the callbacks of parallel-begin, task-create and taskloop-begin: the
 * function that the compiler has made from the construct's body. Elsewhere the last such function;
 * NULL: there was none.
 */
void *rt_inquire_code(void);

/*
 * 19.6.13: returns an ompt_state_t; *wait_id is what the thread waits for, and wait_id may be NULL.
 */
int rt_inquire_state(ompt_wait_id_t *wait_id);

/*
 * 19.6.14: the parallel region that encloses the current one ancestor_level times. Returns 2 if
 * there is one; 0 if there is none, and nothing is stored. Pointers may be NULL.
 */
int rt_inquire_parallel(int ancestor_level, ompt_data_t **parallel_data, int *team_size);

/*
 * 19.6.17: returns 1 if the thread is in a target region or data construct, and stores its numbers;
 * the device is the host. 0: it is not. Pointers may be NULL.
 */
int rt_inquire_target(uint64_t *device, ompt_id_t *target, ompt_id_t *operation);

/* 19.6.9: the place that the thread is bound to, -1: none. */
int rt_inquire_place(void);

/*
 * 19.6.10: returns how many places its partition has, and stores the numbers of up to `size` of
 * them.
 */
int rt_inquire_partition(int size, int *places);

/*
 * 19.6.15: the same for tasks. Level 0 is the current task. Each further level is the task whose
 * code is below that of the previous one on the stack: the one that its thread suspended for it or,
 * at the begin of a region, the one that encountered the region.
 */
int rt_inquire_task(int ancestor_level, int *flags, ompt_data_t **task_data,
    ompt_frame_t **task_frame, ompt_data_t **parallel_data, int *thread_num);

/*
 * 19.6.16: block number `block` of the memory of the current task. NULL and 0: there is no such
 * block. Returns 1 if there is a further block.
 */
int rt_inquire_task_memory(void **address, size_t *bytes, int block);

#endif
