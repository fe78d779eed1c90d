/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Beginning and end of the library in a process: its constructor starts the measurement, its
 * destructor stops it and reports. A rank of MPI reports when all ranks do. After exec, _exit and
 * signals none of this runs, and only the event logs remain.
 */
#include "event.h"
#include "plain-name.h"
#include "rank-state.h"
#include "region-scale.h"
#include "run-end.h"

/* POMP_SCALE may also delay what the thread that ends the measurement did since its last event. */
static void delay_last(void)
{
	struct pomp_thread *thread = pomp_scale.on && pomp_self != NULL ? pomp_event_begin() : NULL;

	if (thread != NULL)
		pomp_event_drop(thread);
}

static void stop(void)
{
	delay_last();
	pomp_process.stuck = pomp_measurement_stop();
}

/* Stops, adds up, converts and reports; later calls do nothing. */
static void report(void)
{
	struct pomp_process *process = &pomp_process;

	if (load_acquire(&pomp_state) == POMP_STATE_ON)
		stop();
	pomp_lock_process();
	if (process->stopped && !process->finished) {
		process->finished = true;
		pomp_report(process->stuck);
	}
	pomp_unlock_process();
	if (pomp_self != NULL)
		pomp_metrics_detach(pomp_self); /* the program gets the counters back */
}

/* The same, except that one of many ranks only stops: it reports when all ranks do. */
static void finish(void)
{
	if (pomp_rank.ranks == NULL)
		report();
	else if (load_acquire(&pomp_state) == POMP_STATE_ON)
		stop();
}

static void leave_ranks(void)
{
	struct pomp_rank *rank = &pomp_rank;

	rank->ranks = rank->traced = rank->profiled = NULL;
}

void pomp_rank_finish(void)
{
	report();
	leave_ranks();
}

/* The process exits: a rank no longer waits for the others. */
static void end_without_the_others(void)
{
	if (pomp_rank.ranks == NULL)
		return;
	pomp_rank.lost = true;
	report();
	leave_ranks();
}

__attribute__((constructor)) static void library_loaded(void)
{
	pomp_measurement_start();
}

__attribute__((destructor)) static void process_exits(void)
{
	pomp_process.exiting = true;
	end_without_the_others();
	finish();
}

void pomp_init(void)
{
	pomp_measurement_start();
}
PLAIN_NAME(pomp_init)

void pomp_finalize(void)
{
	finish();
}
PLAIN_NAME(pomp_finalize)
