/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rings: a copy of a segment that is said to be complete has the words of one content, while the
 * owner fills the ring again and again. Bounds: two segments of eight words, of which one is
 * copied; three turns after the first content, a record in each.
 */
#include "check.h"
#include "event-log.h"
#include "ring-copy.h"
#include "ring.h"

enum { WORDS = 8, SEGMENTS = 2, TURNS = 3, TIME = 100, HEAD = TRACE_LOG_HEADER_BYTES / 8 };

/* A segment's limit is far before its begin here. */
static uint64_t memory[2 * HEAD + SEGMENTS * WORDS];
static struct pomp_log log_of_thread = {.file.descriptor = -1, .enabled = true};

/* The next segment, with a state of one record and then one record; both name the content. */
static void next_segment(void)
{
	struct pomp_log *log = &log_of_thread;
	uint64_t content = log->ring.number + 1;

	log->time = content * TIME;
	pomp_ring_turn(log);
	pomp_log_append(
	    log, log->cursor, pomp_log_word(TRACE_LOG_ENTER, content, 0), NULL, 0, log->time);
	pomp_ring_publish(log);
	pomp_log_append(
	    log, log->cursor, pomp_log_word(TRACE_LOG_FORK, content, 0), &content, 1, log->time);
}

static void copy(void *segment)
{
	uint64_t words[WORDS];
	const uint64_t *record = words + TRACE_LOG_SEGMENT_WORDS;

	if (!ring_copy_segment(words, segment, WORDS))
		return;
	uint64_t content = words[0];
	EXPECT(words[1] == content * TIME && words[2] == 1);
	EXPECT(record[0] == pomp_log_word(TRACE_LOG_ENTER, content, 0));
	EXPECT(record[1] == pomp_log_word(TRACE_LOG_PAD, 0, 0));
	EXPECT(record[2] == 0 || record[2] == pomp_log_word(TRACE_LOG_FORK, content, 0));
	EXPECT(record[2] == 0 || record[3] == trace_log_payload(content));
}

static void copied(void)
{
	struct pomp_log *log = &log_of_thread;

	log->ring = (struct pomp_ring){.base = (char *)(memory + HEAD),
	    .segment_bytes = WORDS * sizeof(*memory),
	    .segments = SEGMENTS,
	    .most = SEGMENTS,
	    .current = SEGMENTS - 1};
	next_segment();
	check_start(copy, memory + 2 * HEAD);
	for (int i = 0; i < TURNS; i++)
		next_segment();
	check_join();
}
HARNESS(pomp_rings_copied, "a ring is copied while it is written") = {.run = copied};
