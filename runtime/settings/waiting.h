/* SPDX-License-Identifier: BSD-3-Clause */
/* How long threads keep their processor in a wait before they sleep, and what sets it. */
#ifndef RT_WAITING_H
#define RT_WAITING_H
#include <stdint.h>

struct rt_process;

/*
 * Block time: milliseconds that a waiting thread keeps its processor, in libomp's terms. libomp's
 * default value stands for the runtime's own default here, so that programs that read it, change it
 * and set it back get what they had.
 */
enum { RT_BLOCK_TIME_DEFAULT = 200, RT_BLOCK_TIME_INFINITE = INT32_MAX };

/* Sets the members of *process that waits read, from its policy, counts and block time. */
void rt_waiting_settle(struct rt_process *process);

/* The same at run time, by any thread: from now on only the block time decides. */
void rt_waiting_set_block_time(int32_t milliseconds);

#endif
