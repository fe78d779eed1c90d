/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The list of all threads that use the runtime, for debuggers: in a core file, or just after
 * attaching, thread-local storage cannot be looked up. Threads enter and leave under the mutex; the
 * process itself never walks the list.
 *
 * A debugger may stop the process between any two steps: a record's `listed_next` is valid before
 * the record can be reached (store_release), and stays so when it can no longer be reached.
 */
#include "thread.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "breakpoints.h"
#include "mutex.h"
#include "shared/precondition.h"
#include "watch.h"

struct rt_thread_list rt_threads;

static struct rt_mutex mutex;

/*
 * The global numbers in use, one bit each, under the mutex. Threads beyond the last number share
 * RT_GLOBAL_NUMBERS; only the program's own use of these numbers depends on it.
 */
static uint64_t taken[RT_GLOBAL_NUMBERS / 64];
static uint32_t known; /* threads in the list; under the mutex */

uint32_t rt_threads_known(void)
{
	uint32_t count;

	rt_mutex_lock(&mutex);
	count = known;
	rt_mutex_unlock(&mutex);
	return count;
}

static uint32_t take_number(void)
{
	for (uint32_t i = 0; i < RT_GLOBAL_NUMBERS / 64; i++) {
		if (taken[i] == UINT64_MAX)
			continue;
		uint32_t bit = (uint32_t)__builtin_ctzll(~taken[i]);
		taken[i] |= UINT64_C(1) << bit;
		return i * 64 + bit;
	}
	return RT_GLOBAL_NUMBERS;
}

static void give_number(uint32_t number)
{
	if (number < RT_GLOBAL_NUMBERS)
		taken[number / 64] &= ~(UINT64_C(1) << number % 64);
}

static void insert(struct rt_thread *self)
{
	struct rt_thread *first = load_relaxed(&rt_threads.first);

	self->listed_previous = NULL;
	store_relaxed(&self->listed_next, first);
	if (first != NULL)
		first->listed_previous = self;
	store_release(&rt_threads.first, self);
	known++;
}

uint32_t rt_debug_mark_locks(void)
{
	uint32_t number = (uint32_t)syscall(SYS_gettid);

	rt_mutex_mark = number << RT_MUTEX_HOLDER_SHIFT | RT_MUTEX_HELD;
	return number;
}

void rt_debug_thread_begin(struct rt_thread *self)
{
	CHECK(self->system_id == 0, "the thread is not in the list");
	self->handle = pthread_self();
	self->system_id = rt_debug_mark_locks();
	rt_mutex_lock(&mutex);
	self->global_number = take_number();
	insert(self);
	rt_mutex_unlock(&mutex);
	if (rt_watched(RT_BY_DEBUGGER))
		ompd_bp_thread_begin();
}

void rt_debug_thread_end(struct rt_thread *self)
{
	CHECK(self->system_id != 0, "the thread is in the list");

	struct rt_thread *next, *previous;

	if (rt_watched(RT_BY_DEBUGGER))
		ompd_bp_thread_end();
	rt_mutex_lock(&mutex);
	next = load_relaxed(&self->listed_next);
	previous = self->listed_previous;
	/*
	 * Relaxed if a reader comes through `previous`: it has acquired that record, which was
	 * listed later than `next`.
	 */
	if (previous != NULL)
		store_relaxed(&previous->listed_next, next);
	else
		store_release(&rt_threads.first, next);
	if (next != NULL)
		next->listed_previous = previous;
	give_number(self->global_number);
	known--;
	rt_mutex_unlock(&mutex);
	self->system_id = 0; /* a debugger that kept the record's address notices */
}

/* The parent's other threads do not exist in the child, and one of them may have held the mutex. */
void rt_debug_forked(struct rt_thread *self)
{
	uint32_t number;

	store_relaxed(&mutex.state, 0);
	store_relaxed(&rt_threads.first, NULL);
	number = rt_threads.loader = rt_debug_mark_locks();
	memset(taken, 0, sizeof(taken));
	known = 0;
	if (self == NULL)
		return;
	self->global_number = take_number();
	self->system_id = number;
	insert(self);
}
