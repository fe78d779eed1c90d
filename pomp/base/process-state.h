/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The single process-wide state of the measurement library.
 *
 * Its life: POMP_STATE_NEW until the constructor (or the first call, if another constructor was
 * faster) has read the settings; then ON or OFF. ON becomes OFF in pomp_measurement_stop(); if
 * measurement is disabled, it is OFF from the beginning.
 */
#ifndef PROCESS_STATE_H
#define PROCESS_STATE_H

#include "settings.h"
#include "shared/clock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

enum pomp_state { POMP_STATE_NEW, POMP_STATE_ON, POMP_STATE_OFF };

struct pomp_process {
	struct pomp_clock clock; /* written before the first event */

	/*
	 * The only lock. It guards regions, threads, locks, texts, the experiment, and each
	 * thread's `chunk`. An event takes it only if its region, lock or text is new to the
	 * thread.
	 */
	pthread_mutex_t lock;
	int cancel_state;              /* the cancel state that the lock's holder had before */
	struct pomp_settings settings; /* read-only after the start */
	pid_t pid;
	bool has_tool;     /* the tool of OpenMP runtimes is loaded: see shared/code-events.h */
	bool tells_serial; /* without regions, the samples are printed ... */
	bool told_serial;  /* ... and were */
	bool child;        /* the child of a fork that has not called exec */
	bool exiting;      /* exit() runs */
	bool stopped;      /* all logs are closed */
	bool finished;     /* the results are written */
	unsigned stuck;    /* threads that were stopped inside an event */

	/* Whether memory ran out, for the report. Any thread may write it; relaxed. */
	_Atomic(const char *) memory_for; /* its first purpose; NULL: it never ran out */
	_Atomic uint64_t memory_failures;
};

extern struct pomp_process pomp_process __attribute__((visibility("hidden")));

/*
 * Every event reads it: enum pomp_state. It is separate from the rest, so its cache line is hardly
 * ever written. It becomes ON with a release, after the settings and the clock are complete; a
 * thread that is new to the library sees them with an acquire (pomp_measurement_start). An event
 * itself reads it relaxed: its thread has passed that acquire. The comment at the top of event.h
 * describes what happens at a stop.
 */
extern _Atomic int pomp_state __attribute__((visibility("hidden")));

/*
 * Records that memory ran out for something (a static text) without which the profile or trace is
 * incomplete.
 */
void pomp_out_of_memory(const char *what);

void pomp_lock_process(void);
void pomp_unlock_process(void);

/* For CHECK: whether the calling thread holds the process lock. Release builds do not keep it. */
extern _Thread_local bool pomp_process_lock_is_mine __attribute__((visibility("hidden")));

static inline bool pomp_process_is_locked(void)
{
	return pomp_process_lock_is_mine;
}

#endif
