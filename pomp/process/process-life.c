/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Beginning and end of the library in a process: its constructor starts the measurement, its
 * destructor stops it and reports. A rank of MPI reports when all ranks do. After exec, _exit and
 * signals none of this runs, and only the event logs remain.
 */
#include "blocked-code.h"
#include "event.h"
#include "experiment.h"
#include "hot-code.h"
#include "loop-schedules.h"
#include "message-file.h"
#include "own-thread.h"
#include "plain-name.h"
#include "rank-state.h"
#include "region-scale.h"
#include "region-threads.h"
#include "task-grains.h"
#include "run-end.h"

/*
 * The thread that ends the measurement has worked since its last event: accounts that interval, and
 * POMP_SCALE may delay it.
 */
static void end_last_interval(void)
{
	bool can = pomp_self != NULL && !load_relaxed(&pomp_self->busy);
	struct pomp_thread *thread = can ? pomp_event_begin() : NULL;

	if (thread == NULL)
		return;
	/* A program without events leaves no folder of a trace behind. */
	if (load_relaxed(&pomp_experiment.path) == NULL)
		thread->log.enabled = false;
	pomp_event_time(thread);
	pomp_event_drop(thread);
}

static void stop(void)
{
	pomp_own_thread_stop();
	end_last_interval();
	pomp_process.stuck = pomp_measurement_stop();
}

/* Stops, adds up, converts and reports; later calls do nothing. */
static void report(void)
{
	struct pomp_process *process = &pomp_process;

	if (load_acquire(&pomp_state) == POMP_STATE_ON)
		stop();
	if (!process->finished) {
		pomp_hot_code_collect();
		pomp_blocked_code_announce();
	}
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

/* The initial thread is sampled from here on, and not only from its first event. */
__attribute__((constructor)) static void library_loaded(void)
{
	static const struct pomp_duty *const duties[POMP_DUTIES] = {
	    &pomp_snapshot_duty, &pomp_ring_duty, &pomp_control_duty};

	if (!pomp_measurement_start())
		return;
	if (pomp_process.settings.sampling > 0 && gettid() == pomp_process.pid)
		pomp_thread_attach_at(0);
	pomp_own_thread_start(duties);
}

__attribute__((destructor)) static void process_exits(void)
{
	pomp_process.exiting = true;
	pomp_loop_schedules_report(pomp_message_file());
	pomp_region_threads_report(pomp_message_file());
	pomp_task_grains_report(pomp_message_file());
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
