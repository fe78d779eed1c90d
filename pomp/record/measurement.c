/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Starts measuring, in the process and in the child of a fork, and stops it. A child starts again
 * with whatever its only thread has open.
 */
#include "measurement.h"

#include "ahead.h"
#include "at-start.h"
#include "blocked-calls.h"
#include "experiment.h"
#include "frame-close.h"
#include "implied-ends.h"
#include "limited-calls.h"
#include "lock.h"
#include "measured-team.h"
#include "message-file.h"
#include "module-definitions.h"
#include "process-state.h"
#include "process-usage.h"
#include "rank-state.h"
#include "region-filter.h"
#include "region-scale.h"
#include "text-definitions.h"
#include "thread-life.h"
#include "thread-samples.h"
#include "loop-schedules.h"
#include "region-threads.h"
#include "task-grains.h"
#include "tuned-check.h"
#include "shared/debug-log.h"

#include <stdio.h>
#include <sys/auxv.h>
#include <unistd.h>

/* In the child: the results and files so far belong to the parent. */
static void measure_anew(void)
{
	pomp_experiment_after_fork();
	pomp_ahead_after_fork();
	pomp_metrics_after_fork(&pomp_metrics);
	for (size_t i = 0; i < pomp_regions.count; i++)
		pomp_region_reset(pomp_regions.entry[i]);
	pomp_locks_reset(&pomp_locks);
	pomp_observer_after_fork();
	pomp_blocked_after_fork();
	pomp_threads_after_fork();
	store_relaxed(&pomp_teams.most_threads, 0);
	store_relaxed(&pomp_process.memory_for, NULL);
	store_relaxed(&pomp_process.memory_failures, 0);
	store_relaxed(&pomp_threads.unmeasured, 0);
	pomp_process.clock.start = pomp_clock_moment(&pomp_process.clock);
	pomp_process_usage_start();
	DEBUG_LOG(experiment, "child of a fork: measures anew");
}

/* The thread that forked holds the lock. */
static void child_starts(void)
{
	pomp_process.pid = getpid();
	pomp_process.child = true;
	pomp_rank = (struct pomp_rank){0}; /* MPI stays with the parent */
	if (load_relaxed(&pomp_state) == POMP_STATE_ON)
		measure_anew();
	pomp_unlock_process();
}

/* Writes everything known so far to the definitions log. */
static void define_all(void)
{
	pomp_metrics_define();
	pomp_regions_define();
	pomp_texts_define();
	pomp_locks_define();
	if (pomp_process.settings.sampling > 0)
		pomp_modules_define();
}

/* A ring is a trace of which only the end is kept. */
static void choose_ring(struct pomp_settings *settings)
{
	if (settings->ring != 0 && settings->tracing) {
		fprintf(pomp_message_file(),
		    "pomp: POMP_TRACE_RING=%llu: has no effect, because POMP_ENABLE_TRACING=yes "
		    "writes the whole trace\n",
		    (unsigned long long)settings->ring);
		settings->ring = 0;
	}
	pomp_locks.repeats_numbers = settings->ring != 0;
	settings->tracing |= settings->ring != 0;
}

/*
 * A program with more rights than its user (set-user-ID) gets the defaults: no variable of the user
 * may make it write or read a file.
 */
static void start(void)
{
	static char *no_variables[] = {NULL};
	struct pomp_process *process = &pomp_process;

	process->pid = getpid();
	pomp_settings_read(
	    &process->settings, getauxval(AT_SECURE) ? no_variables : environ, pomp_message_file());
	choose_ring(&process->settings);
	pomp_loop_schedules_read(process->settings.loop_schedules, pomp_message_file());
	pomp_region_threads_read(process->settings.region_threads, pomp_message_file());
	pomp_task_grains_read(process->settings.task_grains, pomp_message_file());
	if (process->settings.disable ||
	    !(process->settings.profiling || process->settings.tracing)) {
		store_release(&pomp_state, POMP_STATE_OFF);
		return;
	}
	if (!pomp_clock_init(&process->clock, (enum pomp_timer)process->settings.timer))
		fprintf(pomp_message_file(),
		    "pomp: POMP_TIMER='tsc': this processor does not promise a constant "
		    "rate; times may be wrong\n");
	DEBUG_LOG(clock, "times are those of %s",
	    process->clock.counter ? "the processor's counter" : "CLOCK_MONOTONIC");
	pomp_process_usage_start();
	pomp_metrics_init(&pomp_metrics, &process->settings);
	pomp_experiment_define_by(define_all);
	pomp_at_start_note_folder();
	if (process->settings.tracing)
		pomp_at_start_note_arguments();
	if (process->settings.filter[0] != '\0')
		pomp_filter_read(&pomp_filter, process->settings.filter, pomp_message_file());
	pomp_scale_read(&pomp_scale, process->settings.scale, pomp_message_file());
	if (process->settings.tuned[0] != '\0')
		pomp_tuned_check(process->settings.tuned, pomp_message_file());
	if (pomp_filter.has_durations)
		pomp_filter.tick = pomp_clock_measure_tick(&process->clock);
	pomp_threads_prepare_stop();
	pomp_limits_note();
	if (process->settings.sampling > 0)
		pomp_samples_prepare((uint32_t)(1000000 / process->settings.sampling),
		    process->settings.sample_counters, process->settings.sample_event);
	/* Its rights would stay those of the start. */
	if (process->settings.sampling > 0 && !getauxval(AT_SECURE))
		pomp_observer_start();
	pthread_atfork(pomp_lock_process, pomp_unlock_process, child_starts);
	store_release(&pomp_state, POMP_STATE_ON);
}

bool pomp_measurement_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	/* Relaxed: the load below sees the same state or a later one. */
	if (unlikely(load_relaxed(&pomp_state) == POMP_STATE_NEW))
		pthread_once(&once, start);
	return load_acquire(&pomp_state) == POMP_STATE_ON;
}

unsigned pomp_measurement_stop(void)
{
	struct pomp_process *process = &pomp_process;

	process->clock.end = pomp_clock_moment(&process->clock);
	pomp_process_usage_end();
	pomp_observer_stop();
	DEBUG_LOG(clock, "one tick is %.9f ns", pomp_clock_tick(&process->clock));
	unsigned stuck = pomp_threads_stop();
	pomp_ahead_stop();
	pomp_lock_process();
	if (!process->stopped) {
		process->stopped = true;
		for (struct pomp_thread *thread = pomp_threads.alive; thread;
		     thread = thread->next) {
			pomp_event_close_joined(thread, false);
			uint64_t end = process->clock.end.ticks;
			uint64_t latest = thread->time;
			pomp_frame_unwind_to(thread, thread->stack, end > latest ? end : latest);
			pomp_samples_close(thread);
			pomp_log_close(&thread->log);
		}
	}
	pomp_unlock_process();
	return stuck;
}

struct pomp_thread *pomp_thread_attach(void)
{
	return pomp_measurement_start() ? pomp_thread_take_block() : NULL;
}

void pomp_thread_attach_at(uint64_t place)
{
	if (pomp_measurement_start())
		pomp_thread_take_block_at(place);
}
