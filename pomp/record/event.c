/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slow path of entering and leaving: the same as the fast path does, for every case there is.
 */
#include "event.h"

/*
 * Visits that are too brief to be traced (EXCLUDE_SHORTER_THAN): when nothing was logged between
 * the enter and the leave, the enter's record is taken back and the leave never written. Brief
 * visits inside a brief one go first, so whole nests go. The profile counts all of them.
 *
 * A record is taken back by making its first word the end of the log again, and then clearing the
 * rest, from which no reader may ever start: a program killed in between leaves a valid log.
 */
static __attribute__((noinline)) void log_enter_brief(struct pomp_thread *thread,
    struct pomp_frame *frame, enum trace_log_kind kind, uint64_t id, uint64_t now)
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

static __attribute__((noinline)) void log_leave_brief(struct pomp_thread *thread,
    const struct pomp_frame *frame, enum trace_log_kind kind, uint64_t id, uint64_t now)
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

void pomp_event_enter_slow(OMPRegDescr *region, enum pomp_role role, enum trace_log_kind kind)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	uint64_t id;
	struct pomp_accumulator *sums = pomp_event_sums(thread, region, &id);
	if (sums == NULL)
		return;
	/* The clock comes last: after a system call, what follows its reading takes the longest. */
	if (unlikely(thread->counting != NULL))
		pomp_metrics_read(thread->counting);
	struct pomp_frame *frame = pomp_frame_push(thread, sums, role, 0);
	uint64_t now = pomp_event_time(thread);
	if (likely(frame != NULL))
		frame->enter = now;
	if (likely(frame != NULL && !frame->silent)) {
		if (sums->region->filter != 0)
			log_enter_brief(thread, frame, kind, id, now);
		else
			pomp_event_log(thread, kind, 0, id, now, 0, 0);
	}
	pomp_event_end_logged(thread);
}

void pomp_event_leave_slow(OMPRegDescr *region, enum pomp_role role, enum trace_log_kind kind)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	uint64_t now = pomp_event_time_leaving(thread);
	uint64_t id;
	struct pomp_accumulator *sums = pomp_event_sums(thread, region, &id);
	if (sums == NULL)
		return;
	struct pomp_frame *frame = pomp_frame_find(thread, sums, role, now);
	if (likely(frame != NULL)) {
		pomp_frame_close(thread, frame, now);
		if (sums->region->filter != 0)
			log_leave_brief(thread, frame, kind, id, now);
		else
			pomp_event_log(thread, kind, 0, id, now, 0, 0);
	}
	pomp_event_end_logged(thread);
}

bool pomp_event_make_room(struct pomp_thread *thread)
{
	if (pomp_log_make_room(&thread->log, thread->location, thread->time))
		return true;
	thread->lost_events++;
	thread->untraced_events++;
	return false;
}
