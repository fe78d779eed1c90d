/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hides from ThreadSanitizer what the runtime does for itself.
 *
 * The sanitizer keeps the call stack of each allocation, and of each begin of what it has to
 * ignore; it stores each different stack once. Recursive tasks produce ever new stacks, which took
 * ten times the program's memory. So a separate fiber of the thread does these things, with a stack
 * that is always the same.
 */
#include <stddef.h>

#include "race-thread.h"
#include "race.h"
#include "tsan.h"

enum { NO_SYNC = 1 };

void *rt_race_hide_now(struct rt_thread *self)
{
	struct rt_race_thread *thread = self != NULL ? self->race : NULL;
	void *fiber = NULL;

	if (thread != NULL && __tsan_create_fiber != NULL && __tsan_switch_to_fiber != NULL) {
		if (thread->inside == NULL)
			thread->inside = __tsan_create_fiber(0);
		fiber = __tsan_get_current_fiber();
		if (fiber != thread->inside)
			__tsan_switch_to_fiber(thread->inside, NO_SYNC);
	}
	rt_tsan_ignore_begin();
	return fiber;
}

void rt_race_show_now(void *hidden)
{
	rt_tsan_ignore_end();
	if (hidden != NULL && hidden != __tsan_get_current_fiber())
		__tsan_switch_to_fiber(hidden, NO_SYNC);
}
