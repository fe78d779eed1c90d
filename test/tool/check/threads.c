/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads: their first and last events, and what holds at the beginning of every callback. A
 * thread's record lives as long as the process, because other threads may look at the mutexes that
 * it owns.
 */
#include "check.h"
#include "shared/processor.h"

#include <stdlib.h>

/*
 * A signal handler may be the first to use it, so it must exist without an allocation. If the
 * loader allocates it late, the tests' handlers run later.
 */
static __thread struct thread *self PROCESSOR_THREAD_LOCAL;
static struct thread *threads; /* atomic: the newest */
static unsigned threads_made;  /* atomic */
static bool finalized;         /* atomic */

struct thread *thread_now(void)
{
	return self;
}

void threads_close(void)
{
	store(&finalized, true);
}

static struct thread *thread_new(void)
{
	struct thread *me = calloc(1, sizeof *me);

	if (!me)
		abort();
	me->number = add(&threads_made, 1);
	me->before = __atomic_load_n(&threads, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(
	    &threads, &me->before, me, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	self = me;
	return me;
}

struct thread *enter(enum event event)
{
	struct thread *me = self ? self : thread_new();

	add(&event_counts[event], 1);
	me->event = event;
	if (load(&finalized)) {
		if (!forked)
			violation(RULE_after_finalize, "the tool has ended");
		return NULL;
	}
	if (set_results[event] < ompt_set_sometimes)
		violation(RULE_never_called, "ompt_set_callback returned %d", set_results[event]);
	if (event != EVENT_thread_begin && !me->begun) {
		violation(RULE_thread_begin_first, "it is the thread's first event");
		me->begun = true;
	}
	if (event != EVENT_thread_begin && me->ended) {
		violation(RULE_thread_end_last, "the thread has ended");
		me->ended = false;
	}
	if (load(&me->overlapped) && event != EVENT_mutex_released) {
		violation(RULE_mutex_exclusive, "mutex %#llx was acquired by another thread",
		    (unsigned long long)load(&me->owned));
		store(&me->overlapped, 0);
	}
	return me;
}

static void thread_begin(ompt_thread_t type, ompt_data_t *data)
{
	struct thread *me = self;

	/* A thread may leave the runtime and return to it. */
	if (me && me->begun && me->ended && !load(&finalized))
		me->begun = me->ended = false;
	me = enter(EVENT_thread_begin);
	if (!me)
		return;
	if (me->begun)
		violation(RULE_thread_begin_first, "the thread has begun before");
	me->begun = true;
	me->type = type;
	me->home = data;
	if (type < ompt_thread_initial || type > ompt_thread_unknown)
		violation(RULE_thread_type, "type %d, expected 1 to 4", (int)type);
	if (!data)
		violation(RULE_data_word, "the thread has no data word");
	else if (data->value)
		violation(RULE_data_starts_empty, "thread data is %#llx, expected 0",
		    (unsigned long long)data->value);
	if (data)
		data->value = (uint64_t)0xc3 << 56 | me->number;
	if (runtime.get_thread_data && runtime.get_thread_data() != data)
		violation(RULE_thread_data, "ompt_get_thread_data gives %p, expected %p",
		    (void *)runtime.get_thread_data(), (void *)data);
}
const ompt_callback_thread_begin_t on_thread_begin = thread_begin;

static void thread_end(ompt_data_t *data)
{
	struct thread *me = enter(EVENT_thread_end);

	if (!me)
		return;
	if (data != me->home)
		violation(RULE_thread_data, "thread data is at %p, expected %p", (void *)data,
		    (void *)me->home);
	else if (data && data->value != ((uint64_t)0xc3 << 56 | me->number))
		violation(RULE_data_word, "thread data is %#llx, which the tool did not store",
		    (unsigned long long)data->value);
	/* A process may end inside regions, a worker may not. */
	if (me->current && me->type == ompt_thread_worker && !forked)
		violation(RULE_thread_end_last, "task %p has not ended", (void *)me->current->home);
	me->ended = true;
}
const ompt_callback_thread_end_t on_thread_end = thread_end;

static void flush(ompt_data_t *data, const void *code)
{
	struct thread *me = enter(EVENT_flush);

	if (me && data != me->home)
		violation(RULE_thread_data, "thread data is at %p, expected %p", (void *)data,
		    (void *)me->home);
	if (me)
		check_code(code, false);
}
const ompt_callback_flush_t on_flush = flush;
