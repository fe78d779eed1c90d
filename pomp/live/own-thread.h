/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread of the library's own, for what a running program does beside its events. It exists only
 * if a setting asks for one of its duties. The child of a fork has none.
 */
#ifndef OWN_THREAD_H
#define OWN_THREAD_H

#include <stdbool.h>
#include <stdint.h>

/* No member may be NULL. */
struct pomp_duty {
	/* At the start: returns whether the settings ask for it. */
	bool (*prepare)(void);
	/* Returns whether there is something to do at that time (CLOCK_MONOTONIC, ns). */
	bool (*is_due)(uint64_t now);
	/*
	 * Does it, on a thread without the program's descriptors: it may open files, which the
	 * program can neither close nor see, and may not print.
	 */
	void (*act)(void);
	/* Then, with the program's descriptors: prints what has to be said. */
	void (*tell)(void);
};

extern const struct pomp_duty pomp_snapshot_duty, pomp_ring_duty, pomp_control_duty;

enum { POMP_DUTIES = 4 }; /* at most; the first NULL ends the list */

/* Starts the thread, if any of these is asked for. Measuring has started. */
void pomp_own_thread_start(const struct pomp_duty *const duties[POMP_DUTIES]);

/* Has the thread look at its duties now. A signal handler may call it. */
void pomp_own_thread_wake(void);

/* Ends the thread; a duty that it is doing is completed. */
void pomp_own_thread_stop(void);

#endif
