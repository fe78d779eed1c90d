/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for mutexes of the program, which are noted for debuggers, and their events for tools. */
#include "program-mutex.h"

#include "initial-thread.h"
#include "race.h"
#include "shared/race-log.h"
#include "wait-note.h"

/*
 * A thread that uses the runtime for the first time gets a record to note the wait in, unless
 * memory is short.
 */
void rt_mutex_lock_noted_slow(struct rt_mutex *mutex, uint32_t waiting_state)
{
	struct rt_thread *self = rt_current != NULL ? rt_current : rt_thread_try_adopt();
	struct rt_waiting outer;

	if (self != NULL)
		rt_waiting_begin(
		    self, &outer, waiting_state, mutex, load_relaxed(&mutex->state), 0);
	rt_mutex_lock_slow(mutex);
	if (self != NULL)
		rt_waiting_end(self, &outer);
}

/* Without memory for a record the thread continues, and has no events until it gets one. */
void rt_tool_need_thread(void)
{
	if (rt_current == NULL)
		(void)rt_thread_try_adopt();
}

static enum rt_waiting_state waiting_state(ompt_mutex_t kind)
{
	switch (kind) {
	case ompt_mutex_critical:
		return RT_WAITING_CRITICAL;
	case ompt_mutex_atomic:
		return RT_WAITING_ATOMIC;
	default:
		return RT_WAITING_LOCK;
	}
}

/* For race detection. Atomic constructs hold nothing while they take another lock. */
static struct race_lock race_lock_of(
    const struct rt_mutex *mutex, ompt_mutex_t kind, const void *codeptr)
{
	struct race_lock lock = {
	    rt_race_lock_identity(rt_current, mutex), mutex, codeptr, RACE_LOCK_SIMPLE};

	if (kind == ompt_mutex_critical)
		lock.kind = RACE_LOCK_CRITICAL;
	else if (kind == ompt_mutex_nest_lock || kind == ompt_mutex_test_nest_lock)
		lock.kind = RACE_LOCK_NEST;
	return lock;
}

static RT_COLD void lock_for_race(struct rt_mutex *mutex, ompt_mutex_t kind, const void *codeptr)
{
	const struct race_lock lock = race_lock_of(mutex, kind, codeptr);

	rt_race_lock_wanted(&lock);
	if (!rt_mutex_try_unannounced(mutex))
		rt_mutex_lock_noted_slow(mutex, waiting_state(kind));
	rt_race_lock_taken(&lock);
}

static RT_COLD bool try_for_race(struct rt_mutex *mutex, ompt_mutex_t kind, const void *codeptr)
{
	const struct race_lock lock = race_lock_of(mutex, kind, codeptr);

	if (!rt_mutex_try_unannounced(mutex))
		return false;
	rt_race_lock_taken(&lock);
	return true;
}

/* A thread that another one unlocks for keeps its note, which is replaced when it locks again. */
RT_COLD void rt_mutex_note_taken(const struct rt_mutex *mutex, const void *codeptr)
{
	struct rt_thread *self = rt_current;
	struct rt_taken *note = NULL;

	if (self == NULL || !rt_watched(RT_BY_DEBUGGER))
		return;
	for (int i = 0; i < RT_MOST_TAKEN; i++) {
		struct rt_taken *taken = &self->taken[i];
		if (taken->mutex == mutex || (taken->mutex == NULL && note == NULL))
			note = taken;
		if (taken->mutex == mutex)
			break;
	}
	if (note == NULL)
		return;
	note->site = rt_tool_is_runtime_code(codeptr) ? NULL : codeptr;
	note->mutex = mutex;
}

static void forget_taken(const struct rt_mutex *mutex)
{
	for (int i = 0; rt_current != NULL && i < RT_MOST_TAKEN; i++)
		if (rt_current->taken[i].mutex == mutex)
			rt_current->taken[i].mutex = NULL;
}

void rt_mutex_lock_watched_with_hint(
    struct rt_mutex *mutex, ompt_mutex_t kind, unsigned hint, const void *codeptr)
{
	rt_tool_need_thread();
	if (rt_watched(RT_BY_TOOL))
		codeptr = rt_tool_users_address(codeptr);
	rt_emit_mutex_acquire(kind, hint, RT_MUTEX_IMPL_FUTEX, (uintptr_t)mutex, codeptr);
	rt_race_pause(rt_current);
	if (rt_watched(RT_BY_RACE))
		lock_for_race(mutex, kind, codeptr);
	else
		rt_mutex_lock_noted(mutex, waiting_state(kind));
	rt_mutex_note_taken(mutex, codeptr);
	rt_emit_mutex_acquired(kind, (uintptr_t)mutex, codeptr);
}

void rt_mutex_lock_watched(struct rt_mutex *mutex, ompt_mutex_t kind, const void *codeptr)
{
	rt_mutex_lock_watched_with_hint(mutex, kind, 0, codeptr);
}

bool rt_mutex_try_watched(struct rt_mutex *mutex, ompt_mutex_t kind, const void *codeptr)
{
	rt_tool_need_thread();
	if (rt_watched(RT_BY_TOOL))
		codeptr = rt_tool_users_address(codeptr);
	rt_emit_mutex_acquire(kind, 0, RT_MUTEX_IMPL_FUTEX, (uintptr_t)mutex, codeptr);
	if (!(rt_watched(RT_BY_RACE) ? try_for_race(mutex, kind, codeptr) : rt_mutex_try(mutex)))
		return false;
	rt_mutex_note_taken(mutex, codeptr);
	rt_emit_mutex_acquired(kind, (uintptr_t)mutex, codeptr);
	return true;
}

/* Another thread may have freed the mutex when the event comes, so only its address is used. */
void rt_mutex_unlock_watched(struct rt_mutex *mutex, ompt_mutex_t kind, const void *codeptr)
{
	if (rt_watched(RT_BY_DEBUGGER))
		forget_taken(mutex);
	if (rt_watched(RT_BY_RACE)) {
		rt_race_lock_given(rt_race_lock_identity(rt_current, mutex));
		rt_mutex_unlock_unannounced(mutex);
	} else {
		rt_mutex_unlock(mutex);
	}
	rt_race_pause(rt_current);
	rt_emit_mutex_released(kind, (uintptr_t)mutex, rt_tool_users_address(codeptr));
}

RT_COLD void rt_lock_init_watched(
    const volatile void *lock, ompt_mutex_t kind, unsigned hint, const void *codeptr)
{
	rt_tool_need_thread();
	rt_race_lock_new(lock);
	rt_emit_lock_init(
	    kind, hint, RT_MUTEX_IMPL_FUTEX, (uintptr_t)lock, rt_tool_users_address(codeptr));
}

RT_COLD void rt_lock_destroy_watched(
    const volatile void *lock, ompt_mutex_t kind, const void *codeptr)
{
	rt_tool_need_thread();
	rt_race_lock_new(lock);
	rt_emit_lock_destroy(kind, (uintptr_t)lock, rt_tool_users_address(codeptr));
}
