/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Settings that have changed while the program runs, and how each thread takes them over: at its
 * next event, which POMP_UNUSUAL_CHANGED takes off the fast path once.
 *
 * Who sees what: the change stores what has changed, and then sets the flag of each thread, all
 * with the process lock. A thread that finds its flag takes the lock once, so that it sees all of
 * that, and the flags of all other threads are set: what it does then by the new settings, such as
 * creating a task, no other thread can see and still act by the old ones.
 */
#ifndef SETTINGS_CHANGE_H
#define SETTINGS_CHANGE_H

#include "thread-block.h"

struct pomp_changes {
	uint64_t number; /* how many there were */
	char *text;      /* what the latest was, for a trace; kept for good */
};

/* Under the process lock. */
extern struct pomp_changes pomp_changes __attribute__((visibility("hidden")));

/* All threads take over what has changed. The text is copied. Process lock held. */
void pomp_change_announce(const char *text);

/* In an event: takes it over, and puts the text into the thread's trace, as a parameter. */
void pomp_change_take_over(struct pomp_thread *thread);

#endif
