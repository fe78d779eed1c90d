/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Visits that are too brief to be traced (EXCLUDE_SHORTER_THAN): when nothing was logged between
 * the enter and the leave, the enter's record is taken back and the leave never written. Brief
 * visits inside a brief one go first, so whole nests go. The profile counts all of them.
 *
 * A record is taken back by making its first word the end of the log again, and then clearing the
 * rest, from which no reader may ever start: a program killed in between leaves a sound log.
 */
#include "event.h"

void pomp_event_log_enter_brief(struct pomp_thread *thread, struct pomp_frame *frame,
    enum trace_log_kind kind, uint64_t id, uint64_t now)
{
	struct pomp_log *log = &thread->log;
	uint64_t *place = log->cursor;
	uint64_t time = log->time, bytes = log->bytes;

	pomp_event_log(thread, kind, 0, id, now, 0, 0);
	/* The log may have moved on to another window: then the record stays. */
	frame->mark.place = log->bytes == bytes ? place : NULL;
	frame->mark.after = log->cursor;
	frame->mark.time = time;
	frame->mark.bytes = bytes;
}

void pomp_event_log_leave_brief(struct pomp_thread *thread, const struct pomp_frame *frame,
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
