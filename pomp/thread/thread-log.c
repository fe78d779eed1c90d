/* SPDX-License-Identifier: BSD-3-Clause */
/* What a record in a thread's log rarely needs: more room, and to be taken back. */
#include "thread-log.h"

#include "region.h"
#include "process-state.h"
#include "shared/precondition.h"

/*
 * Visits that are too brief to be traced (EXCLUDE_SHORTER_THAN): if nothing was logged between the
 * enter and the leave, the enter's record is taken back and the leave is never written. Brief
 * visits inside a brief one are removed first, so complete nests disappear. The profile counts all
 * of them.
 *
 * A record is taken back by making its first word the end of the log again and then clearing the
 * rest, from which no reader may ever start: a program that is killed in between leaves a valid
 * log.
 */
void pomp_event_enter_brief(struct pomp_thread *thread, struct pomp_frame *frame,
    enum trace_log_kind kind, uint64_t id, uint64_t now)
{
	struct pomp_log *log = &thread->log;
	uint64_t *place = log->cursor;
	uint64_t time = log->time, bytes = log->bytes;

	pomp_event_log(thread, kind, 0, id, now, 0, 0);
	/* If the log has moved to another window, the record stays. */
	frame->mark.place = log->bytes == bytes ? place : NULL;
	frame->mark.after = log->cursor;
	frame->mark.time = time;
	frame->mark.bytes = bytes;
}

void pomp_event_leave_brief(struct pomp_thread *thread, const struct pomp_frame *frame,
    enum trace_log_kind kind, uint64_t id, uint64_t now)
{
	struct pomp_log *log = &thread->log;
	uint64_t *place = frame->mark.place;

	if (now - frame->enter >= frame->accumulator->region->filter || place == NULL ||
	    frame->mark.after != log->cursor || frame->mark.bytes != log->bytes) {
		pomp_event_log(thread, kind, 0, id, now, 0, 0);
		return;
	}
	for (uint64_t *word = place; word < log->cursor; word++)
		pomp_log_publish(word, 0);
	log->cursor = place;
	thread->more_events -= pomp_event_count(thread, kind);
	log->time = frame->mark.time;
}

bool pomp_event_make_room(struct pomp_thread *thread)
{
	if (pomp_log_make_room(&thread->log, thread->location, thread->time))
		return true;
	thread->lost_events++;
	thread->untraced_events++;
	return false;
}

/* A running thread may see this at its next event or one later; either is fine. */
void pomp_threads_retry_logs(void)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");
	for (struct pomp_thread *thread = pomp_threads.alive; thread; thread = thread->next)
		if (thread->log.header == NULL)
			store_relaxed(&thread->log.failed, false);
}
