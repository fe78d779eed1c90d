/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one process-wide state of the measurement library.
 *
 * Life: POMP_STATE_NEW until the constructor (or the first call, if another constructor was faster)
 * has read the settings; then ON or OFF; ON becomes OFF in pomp_measurement_stop(), or for good
 * when disabled.
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
	 * The only lock. Guards regions, threads, locks, texts, experiment, and each thread's
	 * `chunk`; never taken by an event of a thread that knows its region, its lock and its
	 * texts before.
	 */
	pthread_mutex_t lock;
	int cancel_state;              /* of the thread that holds the lock, as it was before */
	struct pomp_settings settings; /* read-only after the start */
	pid_t pid;
	bool has_tool;  /* the tool of OpenMP runtimes is loaded: see shared/code-events.h */
	bool child;     /* the child of a fork that has not called exec */
	bool exiting;   /* exit() runs */
	bool stopped;   /* all logs are closed */
	bool finished;  /* results are out */
	unsigned stuck; /* threads that were stopped within an event */

	/* Where memory ran out: for the report. Written by any thread, relaxed. */
	_Atomic(const char *) memory_for; /* what it was wanted for first; NULL: it never did */
	_Atomic uint64_t memory_failures;
};

extern struct pomp_process pomp_process __attribute__((visibility("hidden")));

/*
 * Read by every event: enum pomp_state. Away from the rest, so that its cache line is never
 * written. Becomes ON with a release, after the settings and the clock are there; a thread that has
 * read nothing of the library yet sees them with an acquire (pomp_measurement_start). An event's
 * own reading is relaxed: its thread came through there, and what happens at a stop is described
 * above pomp_event_begin().
 */
extern _Atomic int pomp_state __attribute__((visibility("hidden")));

/*
 * Notes that memory ran out for something (a static text) whose lack makes profile or trace
 * incomplete.
 */
void pomp_out_of_memory(const char *what);

void pomp_lock_process(void);
void pomp_unlock_process(void);

#endif
