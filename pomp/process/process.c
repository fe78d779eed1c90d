/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Birth and end of the measurement: the constructor reads the settings, the destructor folds and
 * reports. A forked child starts anew with what its only thread has open; exec, _exit and signals
 * end us without notice, and then the event logs speak for themselves.
 */
#include "process.h"

#include "event.h"
#include "report.h"

#include <stdio.h>
#include <sys/auxv.h>
#include <unistd.h>

struct pomp_process pomp_process = {.lock = PTHREAD_MUTEX_INITIALIZER};
_Atomic int pomp_state = POMP_STATE_NEW;

/*
 * What is done under the lock opens files and takes memory, where a thread can be cancelled; it
 * would take the lock with it. The cancellation waits until the lock is free.
 */
void pomp_lock_process(void)
{
	int cancel_state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	pthread_mutex_lock(&pomp_process.lock);
	pomp_process.cancel_state = cancel_state;
}

void pomp_unlock_process(void)
{
	int cancel_state = pomp_process.cancel_state;

	pthread_mutex_unlock(&pomp_process.lock);
	pthread_setcancelstate(cancel_state, NULL);
}

void pomp_out_of_memory(const char *what)
{
	const char *none = NULL;

	replace_release(&pomp_process.memory_for, &none, what);
	fetch_add_relaxed(&pomp_process.memory_failures, 1);
}

/* In the child: the parent's results and files are the parent's. */
static void child_starts(void)
{
	pthread_mutex_init(&pomp_process.lock, NULL);
	pthread_setcancelstate(pomp_process.cancel_state, NULL);
	pomp_process.pid = getpid();
	pomp_process.child = true;
	pomp_process.rank = (struct pomp_rank){0}; /* MPI stays with the parent */
	if (load_relaxed(&pomp_state) != POMP_STATE_ON)
		return;
	pomp_experiment_forget();
	pomp_ahead_forget();
	pomp_metrics_fork(&pomp_process.metrics);
	for (size_t i = 0; i < pomp_process.regions.count; i++)
		pomp_region_forget(pomp_process.regions.entry[i]);
	pomp_locks_reset(&pomp_process.locks);
	pomp_threads_keep_self();
	store_relaxed(&pomp_process.most_threads, 0);
	store_relaxed(&pomp_process.memory_for, NULL);
	store_relaxed(&pomp_process.memory_failures, 0);
	store_relaxed(&pomp_process.unmeasured, 0);
	pomp_process.clock.start = pomp_clock_moment(&pomp_process.clock);
}

/*
 * A program with more rights than its user's (set-user-ID) gets the defaults: no variable of the
 * user's may make it write a file or read one.
 */
static void start(void)
{
	static char *no_variables[] = {NULL};
	struct pomp_process *process = &pomp_process;

	process->pid = getpid();
	pomp_settings_read(
	    &process->settings, getauxval(AT_SECURE) ? no_variables : environ, stderr);
	if (process->settings.disable ||
	    !(process->settings.profiling || process->settings.tracing)) {
		store_release(&pomp_state, POMP_STATE_OFF);
		return;
	}
	if (!pomp_clock_init(&process->clock, (enum pomp_timer)process->settings.timer))
		fprintf(stderr,
		    "pomp: POMP_TIMER='tsc': this processor does not promise a constant "
		    "rate; times may be wrong\n");
	pomp_metrics_init(&process->metrics, &process->settings);
	if (process->settings.tracing)
		process->start_folder = getcwd(NULL, 0);
	if (process->settings.filter[0] != '\0')
		pomp_filter_read(&process->filter, process->settings.filter, stderr);
	if (process->filter.has_durations)
		process->filter_tick = pomp_clock_measure_tick(&process->clock);
	pthread_atfork(pomp_lock_process, pomp_unlock_process, child_starts);
	store_release(&pomp_state, POMP_STATE_ON);
}

bool pomp_process_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (unlikely(load_acquire(&pomp_state) == POMP_STATE_NEW))
		pthread_once(&once, start);
	return load_acquire(&pomp_state) == POMP_STATE_ON;
}

/* Stops measuring and closes what is open. Returns how many threads were stopped by force. */
static unsigned stop_measuring(void)
{
	struct pomp_process *process = &pomp_process;

	process->clock.end = pomp_clock_moment(&process->clock);
	unsigned stuck = pomp_threads_stop();
	pomp_ahead_stop();
	pomp_lock_process();
	if (!process->stopped) {
		process->stopped = true;
		for (struct pomp_thread *thread = process->threads.alive; thread;
		     thread = thread->next) {
			uint64_t end = process->clock.end.ticks;
			uint64_t latest = thread->time;
			pomp_frame_unwind_to(thread, thread->stack, end > latest ? end : latest);
			pomp_log_close(&thread->log);
		}
	}
	pomp_unlock_process();
	return stuck;
}

void pomp_process_report(void)
{
	struct pomp_process *process = &pomp_process;

	if (load_acquire(&pomp_state) == POMP_STATE_ON)
		process->stuck = stop_measuring();
	pomp_lock_process();
	if (process->stopped && !process->finished) {
		process->finished = true;
		pomp_report(process->stuck);
	}
	pomp_unlock_process();
	if (pomp_self != NULL)
		pomp_metrics_detach(pomp_self); /* the counters are the program's again */
}

void pomp_process_finish(void)
{
	if (pomp_process.rank.ranks == NULL)
		pomp_process_report();
	else if (load_acquire(&pomp_state) == POMP_STATE_ON)
		pomp_process.stuck = stop_measuring();
}

__attribute__((constructor)) static void library_loaded(void)
{
	pomp_process_start();
}

__attribute__((destructor)) static void process_exits(void)
{
	pomp_process.exiting = true;
	pomp_rank_lost();
	pomp_process_finish();
}

void pomp_init(void)
{
	pomp_process_start();
}

void pomp_finalize(void)
{
	pomp_process_finish();
}

void pomp_off(void)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	if (thread->off == 0)
		pomp_event_log(thread, TRACE_LOG_OFF, 0, 0, pomp_event_time(thread), 0, 0);
	pomp_thread_off(thread, true);
	pomp_event_end_logged(thread);
}

void pomp_on(void)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	if (thread->off > 0) {
		pomp_thread_off(thread, false);
		if (thread->off == 0)
			pomp_event_log(thread, TRACE_LOG_ON, 0, 0, pomp_event_time(thread), 0, 0);
	}
	pomp_event_end_logged(thread);
}
