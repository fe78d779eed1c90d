/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program's own threads and mutexes, also those of C++, for the orders in which locks are
 * taken. These functions precede ThreadSanitizer's, which they call. If ThreadSanitizer is part of
 * the program itself, as clang may link it, its functions come first: then these are never called,
 * and orders of locks are not looked at.
 *
 * What one thread does before it signals, posts or reaches a barrier comes before what another one
 * does that waited there. If the other one did not have to wait for a condition, since it was true
 * already, only a mutex orders both, and so nothing here does.
 *
 * A wait with a limit and a try are no waits that can end a cycle, but what they take is held.
 */
#include "held-locks.h"
#include "next.h"
#include "order-clocks.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

#ifdef __GLIBC__

#define PUBLIC __attribute__((visibility("default")))

/* Does the owner wait for itself if it locks the mutex again? The kind is part of glibc's
 * interface. */
static bool excludes_owner(const pthread_mutex_t *mutex)
{
	const int kind = mutex->__data.__kind & 3;

	return kind == PTHREAD_MUTEX_TIMED_NP || kind == PTHREAD_MUTEX_ADAPTIVE_NP;
}

/* Has the owner locked it more than once? */
static bool is_nested(const pthread_mutex_t *mutex)
{
	return (mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP &&
	       mutex->__data.__count > 1;
}

static bool is_locked(int result)
{
	return result == 0 || result == EOWNERDEAD;
}

#define LOCK_AT(mutex)                                                                             \
	(struct race_lock)                                                                         \
	{                                                                                          \
		(mutex), (mutex), __builtin_return_address(0), RACE_LOCK_MUTEX                     \
	}

PUBLIC int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	static int (*next)(pthread_mutex_t *);
	const struct race_lock lock = LOCK_AT(mutex);

	next_find((void **)&next, __func__);
	if (excludes_owner(mutex) || !held_lock_has(mutex))
		held_lock_want(&lock, __builtin_frame_address(0));
	int result = next(mutex);
	if (!is_locked(result))
		held_lock_want_none();
	else if (!is_nested(mutex))
		held_lock_add(&lock, __builtin_frame_address(0));
	return result;
}

PUBLIC int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	static int (*next)(pthread_mutex_t *);
	const struct race_lock lock = LOCK_AT(mutex);

	next_find((void **)&next, __func__);
	int result = next(mutex);
	if (is_locked(result) && !is_nested(mutex))
		held_lock_add(&lock, __builtin_frame_address(0));
	return result;
}

PUBLIC int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
	static int (*next)(pthread_mutex_t *, const struct timespec *);
	const struct race_lock lock = LOCK_AT(mutex);

	next_find((void **)&next, __func__);
	int result = next(mutex, until);
	if (is_locked(result) && !is_nested(mutex))
		held_lock_add(&lock, __builtin_frame_address(0));
	return result;
}

PUBLIC int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	static int (*next)(pthread_mutex_t *);

	next_find((void **)&next, __func__);
	if (!is_nested(mutex))
		ompinst_race_lock_given(mutex);
	return next(mutex);
}

PUBLIC int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
	static int (*next)(pthread_mutex_t *, const pthread_mutexattr_t *);

	next_find((void **)&next, __func__);
	ompinst_race_lock_new(mutex);
	return next(mutex, attributes);
}

PUBLIC int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	static int (*next)(pthread_mutex_t *);

	next_find((void **)&next, __func__);
	ompinst_race_lock_new(mutex);
	return next(mutex);
}

/* What a new thread begins with. Its maker releases here; it releases its end at its handle. */
struct beginning {
	void *(*function)(void *);
	void *argument;
	struct team_position position;
};

static void *handle_of(pthread_t thread)
{
	return (void *)thread; // NOLINT(performance-no-int-to-ptr)
}

static void end_thread(void *nothing)
{
	(void)nothing;
	ompinst_race_release(handle_of(pthread_self()));
}

static void *begin_thread(void *argument)
{
	struct beginning beginning = *(struct beginning *)argument;
	void *result;

	position_begin_thread(&beginning.position);
	ompinst_race_acquire(argument);
	ompinst_race_forget(argument);
	free(argument);
	ompinst_race_forget(handle_of(pthread_self()));
	pthread_cleanup_push(end_thread, NULL);
	result = beginning.function(beginning.argument);
	pthread_cleanup_pop(1);
	return result;
}

/*
 * Is it the function of a thread that the OpenMP runtime makes? How many it makes depends on the
 * run; regions give them positions.
 */
static bool is_of_runtime(void *(*function)(void *))
{
	Dl_info theirs, runtime;
	const void *routine = dlsym(RTLD_DEFAULT, "omp_get_num_threads");

	return routine != NULL && dladdr(routine, &runtime) != 0 &&
	       dladdr((const void *)(uintptr_t)function, &theirs) != 0 &&
	       theirs.dli_fbase == runtime.dli_fbase;
}

PUBLIC int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
	static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	struct beginning *beginning =
	    order_strand_self() != NULL ? malloc(sizeof(*beginning)) : NULL;

	next_find((void **)&next, __func__);
	if (beginning == NULL)
		return next(thread, attributes, function, argument);
	*beginning = (struct beginning){.function = function, .argument = argument};
	if (!is_of_runtime(function))
		ompinst_race_task_made(&beginning->position);
	ompinst_race_release(beginning);
	int result = next(thread, attributes, begin_thread, beginning);
	if (result != 0)
		free(beginning);
	return result;
}

/* A call that waits for what another thread has released returns this result. */
static int end_call(const void *object, int result)
{
	if (result == 0)
		ompinst_race_acquire(object);
	return result;
}

PUBLIC int pthread_join(pthread_t thread, void **value)
{
	static int (*next)(pthread_t, void **);

	next_find((void **)&next, __func__);
	return end_call(handle_of(thread), next(thread, value));
}

/* The wait gives the mutex back, and takes it again with what else the thread holds. */
static void begin_wait(const struct race_lock *lock, const void *frame)
{
	ompinst_race_lock_given(lock->identity);
	held_lock_want(lock, frame);
}

static int end_wait(
    const pthread_cond_t *condition, const struct race_lock *lock, const void *frame, int result)
{
	held_lock_add(lock, frame);
	return end_call(condition, result);
}

PUBLIC int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
	static int (*next)(pthread_cond_t *, pthread_mutex_t *);
	const struct race_lock lock = LOCK_AT(mutex);

	next_find((void **)&next, __func__);
	begin_wait(&lock, __builtin_frame_address(0));
	return end_wait(condition, &lock, __builtin_frame_address(0), next(condition, mutex));
}

PUBLIC int pthread_cond_timedwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
	static int (*next)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
	const struct race_lock lock = LOCK_AT(mutex);

	next_find((void **)&next, __func__);
	begin_wait(&lock, __builtin_frame_address(0));
	return end_wait(
	    condition, &lock, __builtin_frame_address(0), next(condition, mutex, until));
}

PUBLIC int pthread_cond_signal(pthread_cond_t *condition)
{
	static int (*next)(pthread_cond_t *);

	next_find((void **)&next, __func__);
	ompinst_race_release(condition);
	return next(condition);
}

PUBLIC int pthread_cond_broadcast(pthread_cond_t *condition)
{
	static int (*next)(pthread_cond_t *);

	next_find((void **)&next, __func__);
	ompinst_race_release(condition);
	return next(condition);
}

PUBLIC int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	static int (*next)(pthread_barrier_t *);

	next_find((void **)&next, __func__);
	ompinst_race_release(barrier);
	int result = next(barrier);
	ompinst_race_acquire(barrier);
	return result;
}

PUBLIC int sem_post(sem_t *semaphore)
{
	static int (*next)(sem_t *);

	next_find((void **)&next, __func__);
	ompinst_race_release(semaphore);
	return next(semaphore);
}

PUBLIC int sem_wait(sem_t *semaphore)
{
	static int (*next)(sem_t *);

	next_find((void **)&next, __func__);
	return end_call(semaphore, next(semaphore));
}

PUBLIC int sem_trywait(sem_t *semaphore)
{
	static int (*next)(sem_t *);

	next_find((void **)&next, __func__);
	return end_call(semaphore, next(semaphore));
}

#endif
