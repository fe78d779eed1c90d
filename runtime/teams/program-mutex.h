/* SPDX-License-Identifier: BSD-3-Clause */
/* Mutexes that stand for an object of the program: its locks, critical and atomic constructs. */
#ifndef RT_PROGRAM_MUTEX_H
#define RT_PROGRAM_MUTEX_H
#include "mutex.h"

/* As rt_mutex_lock(), but a wait is noted for debuggers (enum rt_waiting_state). */
void rt_mutex_lock_noted_slow(struct rt_mutex *mutex, uint32_t waiting_state);

static inline void rt_mutex_lock_noted(struct rt_mutex *mutex, uint32_t waiting_state)
{
	if (unlikely(!rt_mutex_try(mutex))) {
		rt_mutex_lock_noted_slow(mutex, waiting_state);
		rt_tsan_acquire(mutex);
	}
}

#endif
