/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread's event log: words in a mapped window of its file. shared/trace-log.h describes the
 * format.
 */
#ifndef EVENT_LOG_H
#define EVENT_LOG_H

#include "ahead.h"
#include "pomp-atomics.h"
#include "file.h"

#include "shared/precondition.h"
#include "shared/trace-log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * cursor == limit when the window is full. Both are NULL before the first record and when there is
 * nothing to log. A window has some words after limit, as room for the longest records. Its first
 * word is a PAD record, so that there is always a word before cursor.
 */
struct pomp_ring {
	char *base; /* the mapping of the whole file; NULL: the log is no ring */
	size_t bytes, segment_bytes;
	unsigned segments, most; /* reserved ones; how many there may be */
	unsigned current;
	uint64_t number;  /* of the current segment */
	uint64_t *end;    /* behind `limit`: from here on there is no room for a record */
	uint64_t *record; /* the current segment's first word behind its head */
};

struct pomp_log {
	uint64_t *cursor, *limit;
	uint64_t time;         /* ticks of the latest record */
	bool enabled;          /* false: this thread writes no log, or no longer */
	_Atomic bool failed;   /* it should log but cannot: events count as lost */
	struct pomp_file file; /* its descriptor is -1 before the first record */
	unsigned location;     /* names the file */
	uint64_t bytes;        /* of the file, mapped now or earlier */
	char *window;
	size_t window_bytes;
	struct pomp_next next;
	struct trace_log_thread *header; /* in a mapping of its own */
	struct pomp_ring ring;           /* the window is then its current segment */
};

/*
 * Makes room for one record: opens the log, with this location and first time, or moves its window.
 * Returns false when the record cannot be written; the log's head counts it as a lost event. The
 * log is then closed for good, and the end of the run reports the reason once.
 */
bool pomp_log_make_room(struct pomp_log *log, uint64_t location, uint64_t time);

/* The same if the caller holds the process lock. */
bool pomp_log_make_room_locked(struct pomp_log *log, uint64_t location, uint64_t time);

/* Closes the file at its last record; the log may be opened again by a new owner. */
void pomp_log_close(struct pomp_log *log);

/* In the child of a fork: forgets the parent's file, whose mappings were not inherited. */
void pomp_log_after_fork(struct pomp_log *log);

static inline uint64_t pomp_log_word(enum trace_log_kind kind, uint64_t argument, uint64_t time)
{
	return (uint64_t)kind | argument << TRACE_LOG_KIND_BITS | time << TRACE_LOG_TIME_SHIFT;
}

/*
 * Stores a word that makes everything before it valid. It is a release so that the compiler keeps
 * this order, which a reader after SIGKILL relies on.
 */
static inline void pomp_log_publish(uint64_t *place, uint64_t word)
{
	store_release((_Atomic uint64_t *)place, word);
}

/*
 * Stores a payload, before the word that makes it valid. A reader that copies a ring reads the
 * words behind the last record, too, and must see that the ring went on (shared/trace-log.h): hence
 * a release here, too, which on x86-64 is a store like any other.
 */
static inline void pomp_log_store_payload(uint64_t *place, uint64_t value)
{
	pomp_log_publish(place, trace_log_payload(value));
}

/*
 * Returns the distance in time to the log's next record. If a record cannot hold it, a record with
 * the whole time is written first, and *cursor moves past it.
 */
static inline __attribute__((always_inline)) uint64_t pomp_log_distance(
    const struct pomp_log *log, uint64_t now, uint64_t **cursor)
{
	uint64_t distance = now - log->time;

	if (likely(distance <= TRACE_LOG_TIME_MAX))
		return distance;
	pomp_log_store_payload(*cursor + 1, now);
	pomp_log_publish(*cursor, pomp_log_word(TRACE_LOG_TIME, 0, 0));
	*cursor += 2;
	return 0;
}

/* Writes a record at the cursor, its payload before the word that makes it valid. */
static inline __attribute__((always_inline)) void pomp_log_append(struct pomp_log *log,
    uint64_t *cursor, uint64_t word, const uint64_t *payload, unsigned words, uint64_t now)
{
	for (unsigned i = 0; i < words; i++)
		pomp_log_store_payload(cursor + 1 + i, payload[i]);
	pomp_log_publish(cursor, word);
	log->cursor = cursor + 1 + words;
	log->time = now;
	CHECK((char *)log->cursor <= log->window + log->window_bytes, "the record fits the window");
}

#endif
