/* SPDX-License-Identifier: BSD-3-Clause */
/* Mutexes that stand for an object of the program: its locks, critical and atomic constructs. */
#ifndef RT_PROGRAM_MUTEX_H
#define RT_PROGRAM_MUTEX_H
#include "events.h"
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

/*
 * The calling thread gets a record if it has none, so that it is known whether there is a tool; for
 * the other paths of tools that need none themselves.
 */
void rt_tool_need_thread(void);

/*
 * The same while a tool is attached (rt_tool_is_active()), with the events of OpenMP 5.2, 15.2,
 * 15.8.4 and 18.9. The mutex's address is the wait id. codeptr: where the program called. A thread
 * without a record gets one, and so a tool is looked for before the first event.
 *   kind  what the program does: a critical or atomic construct, or a routine of locks
 *   hint  of the construct or routine, 0: none known
 */
void rt_mutex_lock_watched(
    struct rt_mutex *mutex, ompt_mutex_t kind, unsigned hint, const void *codeptr);
bool rt_mutex_try_watched(struct rt_mutex *mutex, ompt_mutex_t kind, const void *codeptr);
void rt_mutex_unlock_watched(struct rt_mutex *mutex, ompt_mutex_t kind, const void *codeptr);

#endif
