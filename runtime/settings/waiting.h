/* SPDX-License-Identifier: BSD-3-Clause */
/* How long threads wait with their processor before they sleep, from what sets it. */
#ifndef RT_WAITING_H
#define RT_WAITING_H
#include <stdint.h>

struct rt_process;

/*
 * Block time: milliseconds that a waiting thread keeps its processor, in the words of libomp. Its
 * default there means the runtime's own here, so that programs that ask, change it and set it back
 * have what they had.
 */
enum { RT_BLOCK_TIME_DEFAULT = 200, RT_BLOCK_TIME_INFINITE = INT32_MAX };

/* Sets the members of *process that waits read, from its policy, counts and block time. */
void rt_waiting_settle(struct rt_process *process);

/* The same at run time, by any thread: nothing else but the block time holds from now on. */
void rt_waiting_set_block_time(int32_t milliseconds);

#endif
