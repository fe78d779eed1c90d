/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hides from ThreadSanitizer what the runtime does for itself.
 *
 * The sanitizer keeps the call stack of each allocation, and of each begin of what it has to
 * ignore; it stores each different stack once. Recursive tasks produce ever new stacks, which took
 * ten times the program's memory. So fibers of their own do these things, with a stack that is
 * always the same.
 *
 * Such a fiber takes most of a megabyte and of a millisecond, and is needed for a microsecond. So
 * threads share as many as there are processors; a thread that finds none idle lets others go on.
 */
#include <sched.h>
#include <stddef.h>

#include "process.h"
#include "race-thread.h"
#include "race.h"
#include "tsan.h"

enum { NO_SYNC = 1, FIBERS = 64, YIELDS = 20, TRIES = 200, PAUSE_NS = 50000 };

/* Those that are idle; NULL: none is at this place. */
static void *_Atomic idle[FIBERS];
static _Atomic uint32_t made;

/* Acquire: what the last thread did as this fiber, which its give() releases. */
static void *take_idle(void)
{
	for (uint32_t i = 0, count = load_relaxed(&made); i < count && i < FIBERS; i++) {
		void *fiber =
		    load_relaxed(&idle[i]) != NULL ? exchange_acquire(&idle[i], NULL) : NULL;
		if (fiber != NULL)
			return fiber;
	}
	return NULL;
}

/* Returns NULL if there would be more than `most`. */
static void *make(uint32_t most)
{
	uint32_t count = load_relaxed(&made);

	while (count < most)
		if (cas_relaxed(&made, &count, count + 1))
			return __tsan_create_fiber(0);
	return NULL;
}

/*
 * After a fork, those that other threads had are missing in the child: then it makes more, as many
 * as there are places, and returns NULL if these are not enough.
 */
static void *take(void)
{
	const uint32_t processors = load_relaxed(&rt_process.processors);
	void *fiber = take_idle();

	for (int i = 0; i < TRIES && fiber == NULL; i++) {
		fiber = make(processors < FIBERS ? processors : FIBERS);
		if (fiber == NULL && i < YIELDS)
			sched_yield();
		else if (fiber == NULL)
			rt_race_sleep(PAUSE_NS);
		if (fiber == NULL)
			fiber = take_idle();
	}
	return fiber != NULL ? fiber : make(FIBERS);
}

/* Release: see take_idle(). There are as many places as fibers. */
static void give(void *fiber)
{
	for (uint32_t i = 0;; i = (i + 1) % FIBERS) {
		void *none = NULL;
		if (load_relaxed(&idle[i]) == NULL && cas_release(&idle[i], &none, fiber))
			return;
	}
}

void *rt_race_hide_now(struct rt_thread *self)
{
	struct rt_race_thread *thread = self != NULL ? self->race : NULL;
	void *fiber = NULL;

	if (thread != NULL && thread->inside == NULL && __tsan_create_fiber != NULL &&
	    __tsan_switch_to_fiber != NULL && (thread->inside = take()) != NULL) {
		fiber = __tsan_get_current_fiber();
		__tsan_switch_to_fiber(thread->inside, NO_SYNC);
	}
	rt_tsan_ignore_begin();
	return fiber;
}

void rt_race_show_now(void *hidden)
{
	rt_tsan_ignore_end();
	if (hidden == NULL)
		return;
	__tsan_switch_to_fiber(hidden, NO_SYNC);
	give(rt_current->race->inside);
	rt_current->race->inside = NULL;
}
