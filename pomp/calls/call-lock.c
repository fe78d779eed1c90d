/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lock routines of pomp.h: each calls the runtime's routine of the same name and times it. Only
 * the thread that holds a lock writes the lock's record. Therefore an acquisition is recorded after
 * the runtime's routine has returned, and a release before it is called.
 */
#include "event.h"
#include "message-file.h"
#include "plain-name.h"
#include "runtime-routine.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * The runtime's routines are looked up at their first call, because programs without a runtime can
 * load this library. Relaxed: only the address itself is read, and a thread that looks it up at the
 * same time finds the same one, unless it runs in a part of the program that another compiler has
 * linked and whose locks have another layout. NULL: the runtime has no routine with that name.
 */
static runtime_routine *look_up(
    _Atomic(runtime_routine *) *known, const char *name, const void *caller)
{
	runtime_routine *found = load_relaxed(known);

	if (unlikely(found == NULL)) {
		found = pomp_runtime_routine(name, caller);
		store_relaxed(known, found);
	}
	return found;
}

/* A program that continued without its locks would compute wrong results. */
static runtime_routine *look_up_needed(
    _Atomic(runtime_routine *) *known, const char *name, const void *caller)
{
	runtime_routine *found = look_up(known, name, caller);

	if (unlikely(found == NULL)) {
		fprintf(pomp_message_file(),
		    "pomp: the program calls %s(), and no OpenMP runtime is loaded that has it; the "
		    "program cannot go on\n",
		    name);
		abort();
	}
	return found;
}

#define RUNTIME(type, name, ...)                                                                   \
	static _Atomic(runtime_routine *) known_##name;                                            \
	typedef type name##_routine(__VA_ARGS__);
#define CALLER    __builtin_return_address(0)
#define OMP(name) ((name##_routine *)look_up_needed(&known_##name, "omp_" #name, CALLER))

RUNTIME(void, init_lock, void *)
RUNTIME(void, init_lock_with_hint, void *, uintptr_t)
RUNTIME(void, destroy_lock, void *)
RUNTIME(void, set_lock, void *)
RUNTIME(void, unset_lock, void *)
RUNTIME(int, test_lock, void *)
RUNTIME(void, init_nest_lock, void *)
RUNTIME(void, init_nest_lock_with_hint, void *, uintptr_t)
RUNTIME(void, destroy_nest_lock, void *)
RUNTIME(void, set_nest_lock, void *)
RUNTIME(void, unset_nest_lock, void *)
RUNTIME(int, test_nest_lock, void *)

/* State that a call keeps from before the runtime's routine until after it. */
struct call {
	uint64_t enter;
	struct pomp_lock *lock;
	bool measured;
};

/* Returns whether the routine makes or destroys a lock: no call that takes the lock need follow. */
static bool takes_none(enum trace_log_routine routine)
{
	switch (routine) {
	case TRACE_LOG_ROUTINE_init_lock:
	case TRACE_LOG_ROUTINE_init_lock_with_hint:
	case TRACE_LOG_ROUTINE_destroy_lock:
	case TRACE_LOG_ROUTINE_init_nest_lock:
	case TRACE_LOG_ROUTINE_init_nest_lock_with_hint:
	case TRACE_LOG_ROUTINE_destroy_nest_lock:
		return true;
	default:
		return false;
	}
}

/* A lock in the cache is already defined: see pomp_lock_define(). */
static struct pomp_lock *lock_of(
    struct pomp_thread *thread, const void *address, enum trace_log_routine routine)
{
	struct pomp_lock_slot *slot = pomp_lock_slot(thread, address);

	if (unlikely(slot->address != address)) {
		struct pomp_lock *lock = pomp_lock_of_address(address);
		if (lock == NULL || takes_none(routine)) /* no memory; perhaps another time */
			return lock;
		pomp_lock_define(lock);
		*slot = (struct pomp_lock_slot){.address = address, .lock = lock};
	}
	return slot->lock;
}

static struct call call_begin(const void *address, enum trace_log_routine routine)
{
	struct pomp_thread *thread = pomp_event_begin();
	struct call call = {0};

	if (thread == NULL)
		return call;
	if (thread->off == 0) {
		call.lock = lock_of(thread, address, routine);
		call.measured = true;
		call.enter = pomp_event_time_entering(thread);
		thread->scale.in_routine = true;
		pomp_event_log(thread, TRACE_LOG_LOCK_ENTER, 0, routine, call.enter, 0, 0);
	}
	pomp_event_end_logged(thread);
	return call;
}

/*
 * Records that the lock was acquired, at `now` by the clock. Returns the time that is used for it.
 */
static inline uint64_t note_acquisition(
    struct pomp_thread *thread, const struct call *call, uint64_t now)
{
	struct pomp_lock *lock = call->lock;

	now = pomp_event_time_acquired(thread, lock, now);
	uint64_t order = pomp_lock_acquired(lock, call->enter, now, now - call->enter);
	if (pomp_lock_again(lock, thread->location))
		pomp_event_log(thread, TRACE_LOG_LOCK_AGAIN, 0, lock->number, now, 0, 0);
	else
		pomp_event_log(thread, TRACE_LOG_LOCK_ACQUIRED, 1, lock->number, now, order, 0);
	return now;
}

/* Ends a call; also records the acquisition if there was one. */
static void call_end(const struct call *call, enum trace_log_routine routine, bool acquired)
{
	struct pomp_thread *thread = call->measured ? pomp_event_begin() : NULL;

	if (thread == NULL)
		return;
	uint64_t now = pomp_event_time_leaving(thread);
	thread->scale.in_routine = false;
	if (acquired && call->lock != NULL)
		now = note_acquisition(thread, call, now);
	uint64_t duration = now - call->enter;
	thread->top->children += duration;
	if (thread->team != NULL)
		thread->waited += duration;
	pomp_event_log(thread, TRACE_LOG_LOCK_LEAVE, 0, routine, now, 0, 0);
	pomp_event_end_logged(thread);
}

static void note_release(const struct call *call)
{
	struct pomp_thread *thread = call->measured ? pomp_event_begin() : NULL;

	if (thread == NULL)
		return;
	if (call->lock != NULL) {
		pomp_lock_released(call->lock, thread->time);
		pomp_event_log(
		    thread, TRACE_LOG_LOCK_RELEASED, 0, call->lock->number, thread->time, 0, 0);
	}
	pomp_event_drop(thread); /* no event of its own: a part of the call's begin */
}

static void note_init(const struct call *call, const void *returned_to)
{
	if (call->lock != NULL)
		pomp_lock_initialized(call->lock, returned_to);
}

/* Routines that make a lock. */
#define INIT_CALL(name)                                                                            \
	void pomp_##name(void *lock)                                                               \
	{                                                                                          \
		struct call call = call_begin(lock, TRACE_LOG_ROUTINE_##name);                     \
		OMP(name)(lock);                                                                   \
		note_init(&call, CALLER);                                                          \
		call_end(&call, TRACE_LOG_ROUTINE_##name, false);                                  \
	}                                                                                          \
	PLAIN_NAME(pomp_##name)
/* Routines that neither acquire nor release. */
#define PLAIN_CALL(name)                                                                           \
	void pomp_##name(void *lock)                                                               \
	{                                                                                          \
		struct call call = call_begin(lock, TRACE_LOG_ROUTINE_##name);                     \
		OMP(name)(lock);                                                                   \
		call_end(&call, TRACE_LOG_ROUTINE_##name, false);                                  \
	}                                                                                          \
	PLAIN_NAME(pomp_##name)
/* Some runtimes do not support hints, and a hint may be ignored. */
#define HINT_CALL(name, plain)                                                                     \
	void pomp_##name(void *lock, uintptr_t hint)                                               \
	{                                                                                          \
		struct call call = call_begin(lock, TRACE_LOG_ROUTINE_##name);                     \
		name##_routine *with_hint =                                                        \
		    (name##_routine *)look_up(&known_##name, "omp_" #name, CALLER);                \
		if (with_hint != NULL)                                                             \
			with_hint(lock, hint);                                                     \
		else                                                                               \
			OMP(plain)(lock);                                                          \
		note_init(&call, CALLER);                                                          \
		call_end(&call, TRACE_LOG_ROUTINE_##name, false);                                  \
	}                                                                                          \
	PLAIN_NAME(pomp_##name)
#define SET_CALL(name)                                                                             \
	void pomp_##name(void *lock)                                                               \
	{                                                                                          \
		struct call call = call_begin(lock, TRACE_LOG_ROUTINE_##name);                     \
		OMP(name)(lock);                                                                   \
		call_end(&call, TRACE_LOG_ROUTINE_##name, true);                                   \
	}                                                                                          \
	PLAIN_NAME(pomp_##name)
#define UNSET_CALL(name)                                                                           \
	void pomp_##name(void *lock)                                                               \
	{                                                                                          \
		struct call call = call_begin(lock, TRACE_LOG_ROUTINE_##name);                     \
		note_release(&call);                                                               \
		OMP(name)(lock);                                                                   \
		call_end(&call, TRACE_LOG_ROUTINE_##name, false);                                  \
	}                                                                                          \
	PLAIN_NAME(pomp_##name)
#define TEST_CALL(name)                                                                            \
	int pomp_##name(void *lock)                                                                \
	{                                                                                          \
		struct call call = call_begin(lock, TRACE_LOG_ROUTINE_##name);                     \
		int result = OMP(name)(lock);                                                      \
		call_end(&call, TRACE_LOG_ROUTINE_##name, result != 0);                            \
		return result;                                                                     \
	}                                                                                          \
	PLAIN_NAME(pomp_##name)

INIT_CALL(init_lock)
HINT_CALL(init_lock_with_hint, init_lock)
PLAIN_CALL(destroy_lock)
SET_CALL(set_lock)
UNSET_CALL(unset_lock)
TEST_CALL(test_lock)
INIT_CALL(init_nest_lock)
HINT_CALL(init_nest_lock_with_hint, init_nest_lock)
PLAIN_CALL(destroy_nest_lock)
SET_CALL(set_nest_lock)
UNSET_CALL(unset_nest_lock)
TEST_CALL(test_nest_lock)
