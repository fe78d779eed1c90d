/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the records of events to a thread's log, and counts them. */
#ifndef THREAD_LOG_H
#define THREAD_LOG_H

#include "shared/debug-log.h"
#include "shared/loop-marks.h"
#include "thread-block.h"

/* Returns the metrics that belong to a record: they are read if a region is entered or left. */
static inline __attribute__((always_inline)) const struct pomp_thread_metrics *pomp_event_metrics(
    const struct pomp_thread *thread, enum trace_log_kind kind)
{
	switch (kind) {
	case TRACE_LOG_TEAM_BEGIN:
	case TRACE_LOG_TEAM_END:
		return thread->metrics;
	case TRACE_LOG_FORK:
	case TRACE_LOG_JOIN:
	case TRACE_LOG_LOCK_ACQUIRED:
	case TRACE_LOG_LOCK_AGAIN:
	case TRACE_LOG_LOCK_RELEASED:
	case TRACE_LOG_OFF:
	case TRACE_LOG_ON:
	case TRACE_LOG_PARAMETER:
		return NULL;
	default:
		return thread->counting;
	}
}

/*
 * Returns how many events a trace shows for a record of this kind, including values of metrics.
 * Outside of a team no task is switched, created or completed.
 */
static inline __attribute__((always_inline)) uint64_t pomp_event_count(
    const struct pomp_thread *thread, enum trace_log_kind kind)
{
	uint64_t values = pomp_event_metrics(thread, kind) != NULL;

	switch (kind) {
	case TRACE_LOG_TASK_CREATE:
	case TRACE_LOG_TASK_CREATE_NEXT:
	case TRACE_LOG_TASK_BEGIN:
	case TRACE_LOG_TASK_BEGIN_HERE:
	case TRACE_LOG_TASK_END:
	case TRACE_LOG_TASK_END_HERE:
	case TRACE_LOG_TASK_SUSPEND:
		if (thread->team == NULL)
			return 1 + values;
		/* fall through */
	default:
		return trace_log_events(kind) + values;
	}
}

/* Makes room for a record in the thread's log; false: the event was counted as lost. */
bool pomp_event_make_room(struct pomp_thread *thread);

/*
 * Counts and logs a record with up to two payload words; kind and words are constants in each call.
 */
static inline __attribute__((always_inline)) void pomp_event_log(struct pomp_thread *thread,
    enum trace_log_kind kind, unsigned words, uint64_t argument, uint64_t now, uint64_t first,
    uint64_t second)
{
	struct pomp_log *log = &thread->log;

	if (log->cursor >= log->limit) {
		if (log->enabled && !pomp_event_make_room(thread))
			return;
		thread->more_events += pomp_event_count(thread, kind);
		if (!log->enabled)
			return;
	} else {
		thread->more_events += pomp_event_count(thread, kind);
	}
	uint64_t *cursor = log->cursor;
	uint64_t distance = pomp_log_distance(log, now, &cursor);
	const struct pomp_thread_metrics *metrics = pomp_event_metrics(thread, kind);
	if (unlikely(metrics != NULL)) {
		cursor = pomp_metrics_append(metrics, cursor, distance);
		distance = 0;
	}
	DEBUG_LOG(event, "location %llu: kind %d, argument %llu",
	    (unsigned long long)thread->location, (int)kind, (unsigned long long)argument);
	const uint64_t payload[] = {first, second};
	pomp_log_append(log, cursor, pomp_log_word(kind, argument, distance), payload, words, now);
}

/* Logs what the kernel counted: delayed, blocked, system, faults. Nothing if all are 0. */
void pomp_event_log_usage(struct pomp_thread *thread, uint64_t now, const uint64_t usage[4]);

/* After that: logs a system call in which the thread was seen, and how often. */
void pomp_event_log_blocked(
    struct pomp_thread *thread, uint64_t now, uint64_t number, uint64_t looks);

/* Logs the creation of a task. Its number usually follows the last one and is then not written. */
static inline void pomp_event_log_creation(
    struct pomp_thread *thread, uint64_t id, uint64_t task, uint64_t now)
{
	if (thread->tasks_created == thread->task_logged + 1)
		pomp_event_log(thread, TRACE_LOG_TASK_CREATE_NEXT, 0, id, now, 0, 0);
	else
		pomp_event_log(thread, TRACE_LOG_TASK_CREATE, 1, id, now, task, 0);
	thread->task_logged = thread->tasks_created;
}

/*
 * Logs an enter or a leave in a region whose filter depends on the duration: see the definitions.
 */
void pomp_event_enter_brief(struct pomp_thread *thread, struct pomp_frame *frame,
    enum trace_log_kind kind, uint64_t id, uint64_t now);
void pomp_event_leave_brief(struct pomp_thread *thread, const struct pomp_frame *frame,
    enum trace_log_kind kind, uint64_t id, uint64_t now);

/* Logs a stretch of a loop: its values in the order of enum loop_mark, times in ticks. */
void pomp_event_log_mark(
    struct pomp_thread *thread, uint64_t now, const uint64_t values[LOOP_MARK_VALUES]);

/* Called when the folder exists: logs that failed without one try again. Process lock held. */
void pomp_threads_retry_logs(void);

#endif
