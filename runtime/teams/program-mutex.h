/* SPDX-License-Identifier: BSD-3-Clause */
/* Mutexes that represent an object of the program: its locks, critical and atomic constructs. */
#ifndef RT_PROGRAM_MUTEX_H
#define RT_PROGRAM_MUTEX_H
#include "events.h"
#include "mutex.h"
#include "processor-code.h"

/* Like rt_mutex_lock(), but notes a wait for debuggers (enum rt_waiting_state). */
void rt_mutex_lock_noted_slow(struct rt_mutex *mutex, uint32_t waiting_state);

static inline void rt_mutex_lock_noted(struct rt_mutex *mutex, uint32_t waiting_state)
{
	if (unlikely(!rt_mutex_try(mutex))) {
		rt_mutex_lock_noted_slow(mutex, waiting_state);
		rt_tsan_acquire_lock(mutex);
	}
}

/*
 * With debug-var: notes for debuggers where the calling thread has taken a mutex, until
 * rt_mutex_unlock_watched(). Of further ones than RT_MOST_TAKEN the place stays unknown.
 */
void rt_mutex_note_taken(const struct rt_mutex *mutex, const void *codeptr);

/*
 * Gives the calling thread a record if it has none, so that it is known whether there is a tool;
 * for paths of tools that need no record themselves.
 */
void rt_tool_need_thread(void);

/*
 * The same if rt_watched(RT_AT_MUTEXES): with the events of OpenMP 5.2, 15.2, 15.8.4 and 18.9 for a
 * tool. The mutex's address is the wait id. codeptr: where the program called. A thread without a
 * record gets one, so that a tool is looked for before the first event.
 *   kind  what the program does: a critical or atomic construct, or a lock routine
 *   hint  omp_sync_hint_t, only for tools
 */
void rt_mutex_lock_watched(struct rt_mutex *mutex, ompt_mutex_t kind, const void *codeptr);
void rt_mutex_lock_watched_with_hint(
    struct rt_mutex *mutex, ompt_mutex_t kind, unsigned hint, const void *codeptr);
bool rt_mutex_try_watched(struct rt_mutex *mutex, ompt_mutex_t kind, const void *codeptr);
void rt_mutex_unlock_watched(struct rt_mutex *mutex, ompt_mutex_t kind, const void *codeptr);

/*
 * The events of a lock's initialization and destruction, while a tool is attached. hint:
 * omp_sync_hint_t, only for tools.
 */
void rt_lock_init_watched(
    const volatile void *lock, ompt_mutex_t kind, unsigned hint, const void *codeptr);
void rt_lock_destroy_watched(const volatile void *lock, ompt_mutex_t kind, const void *codeptr);

/*
 * For entry points that do nothing but this: one check covers the tool and ThreadSanitizer. Inlined
 * into the entry point, where the return address is the caller's.
 */
static inline __attribute__((always_inline)) void rt_mutex_lock_entry(
    struct rt_mutex *mutex, ompt_mutex_t kind, uint32_t waiting_state)
{
	if (rt_watched(RT_AT_MUTEXES))
		rt_mutex_lock_watched(mutex, kind, RT_RETURN_ADDRESS);
	else if (unlikely(!rt_mutex_try_unannounced(mutex)))
		rt_mutex_lock_noted_slow(mutex, waiting_state);
}

static inline __attribute__((always_inline)) bool rt_mutex_try_entry(
    struct rt_mutex *mutex, ompt_mutex_t kind)
{
	if (rt_watched(RT_AT_MUTEXES))
		return rt_mutex_try_watched(mutex, kind, RT_RETURN_ADDRESS);
	return rt_mutex_try_unannounced(mutex);
}

static inline __attribute__((always_inline)) void rt_mutex_unlock_entry(
    struct rt_mutex *mutex, ompt_mutex_t kind)
{
	if (rt_watched(RT_AT_MUTEXES))
		rt_mutex_unlock_watched(mutex, kind, RT_RETURN_ADDRESS);
	else
		rt_mutex_unlock_unannounced(mutex);
}

#endif
