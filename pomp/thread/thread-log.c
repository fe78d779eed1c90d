/* SPDX-License-Identifier: BSD-3-Clause */
/* What a record in a thread's log rarely needs: more room, and to be taken back. */
#include "thread-log.h"

#include "region.h"
#include "process-state.h"
#include "shared/precondition.h"

/*
 * Visits that are too brief to be traced (EXCLUDE_SHORTER_THAN): if no event was logged between the
 * enter and the leave, the enter's record is taken back and the leave is never written; samples,
 * and what the kernel counted, take its place. Brief visits inside a brief one are removed first,
 * so complete nests disappear. The profile counts all of them.
 *
 * A record is taken back by making its first word the end of the log again, or the first one that
 * stays, and then clearing the rest, from which no reader may ever start: a program that is killed
 * in between leaves a valid log.
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

/* Words of a record that is no event of the program; 0: it is one. */
static unsigned words_beside(uint64_t word)
{
	switch (trace_log_kind_of(word)) {
	case TRACE_LOG_SAMPLE:
	case TRACE_LOG_PATH:
	case TRACE_LOG_BLOCKED:
		return 1 + 2;
	case TRACE_LOG_USAGE:
	case TRACE_LOG_COUNTED:
	case TRACE_LOG_MARK:
		return 1 + 4;
	default:
		return 0;
	}
}

static bool are_beside(const uint64_t *word, const uint64_t *end)
{
	while (word < end && words_beside(*word) > 0)
		word += words_beside(*word);
	return word == end;
}

/*
 * Appends a record that is further up, `later` ticks after the log's latest record plus its own
 * distance; samples and their paths do not count from there. Returns its number of words.
 */
static unsigned move_record(struct pomp_log *log, const uint64_t *record, uint64_t later)
{
	unsigned kind = trace_log_kind_of(record[0]), words = words_beside(record[0]);
	bool is_sample =
	    kind == TRACE_LOG_SAMPLE || kind == TRACE_LOG_PATH || kind == TRACE_LOG_COUNTED;
	uint64_t distance = is_sample ? 0 : trace_log_time_of(record[0]) + later, payload[4];

	for (unsigned i = 1; i < words; i++)
		payload[i - 1] = record[i] >> TRACE_LOG_KIND_BITS;
	pomp_log_append(log, log->cursor,
	    pomp_log_word(kind, trace_log_argument_of(record[0]), distance), payload, words - 1,
	    log->time + distance);
	return words;
}

void pomp_event_leave_brief(struct pomp_thread *thread, const struct pomp_frame *frame,
    enum trace_log_kind kind, uint64_t id, uint64_t now)
{
	struct pomp_log *log = &thread->log;
	uint64_t *place = frame->mark.place, *record = frame->mark.after, *end = log->cursor;

	uint64_t shortest = load_relaxed(&frame->accumulator->region->shortest);

	if (now - frame->enter >= shortest || place == NULL || frame->mark.bytes != log->bytes ||
	    !are_beside(record, end) ||
	    (record != end && now - frame->mark.time > TRACE_LOG_TIME_MAX)) {
		pomp_event_log(thread, kind, 0, id, now, 0, 0);
		return;
	}
	log->cursor = place;
	log->time = frame->mark.time;
	while (record < end) {
		/* The first ones count from the enter, and then from the latest of themselves. */
		uint64_t later = frame->enter > log->time ? frame->enter - log->time : 0;
		record += move_record(log, record, later);
	}
	for (uint64_t *word = log->cursor; word < end; word++)
		pomp_log_publish(word, 0);
	thread->more_events -= pomp_event_count(thread, kind);
}

/* Logs a record that is no event of the program. */
static void log_beside(struct pomp_thread *thread, enum trace_log_kind kind, uint64_t argument,
    uint64_t now, const uint64_t *payload, unsigned words)
{
	struct pomp_log *log = &thread->log;

	if (log->cursor >= log->limit && log->enabled && !pomp_event_make_room(thread))
		return;
	if (!log->enabled)
		return;
	uint64_t *cursor = log->cursor;
	uint64_t distance = pomp_log_distance(log, now, &cursor);
	pomp_log_append(log, cursor, pomp_log_word(kind, argument, distance), payload, words, now);
}

void pomp_event_log_usage(struct pomp_thread *thread, uint64_t now, const uint64_t usage[4])
{
	if ((usage[0] | usage[1] | usage[2] | usage[3]) != 0)
		log_beside(thread, TRACE_LOG_USAGE, 0, now, usage, 4);
}

void pomp_event_log_blocked(
    struct pomp_thread *thread, uint64_t now, uint64_t number, uint64_t looks)
{
	log_beside(thread, TRACE_LOG_BLOCKED, 0, now, (uint64_t[]){number, looks}, 2);
}

void pomp_event_log_mark(
    struct pomp_thread *thread, uint64_t now, const uint64_t values[LOOP_MARK_VALUES])
{
	log_beside(
	    thread, TRACE_LOG_MARK, values[LOOP_MARK_SCHEDULE], now, values, LOOP_MARK_SCHEDULE);
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
