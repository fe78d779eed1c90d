/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Event logs: a reader of the log while it is written finds each record complete, as a reader does
 * after the process was killed. Windows that another thread prepares in advance are taken, awaited
 * or withdrawn, whatever that thread has done. Bounds: one log, four windows of which two are
 * ordered.
 */
#include "check.h"
#include "ahead.h"
#include "library.h"

enum { GROWTH = 4, ORDERED = 2, RECORDS = 2 };

static struct pomp_log log_of_thread = {.file.descriptor = -1, .enabled = true};

/* The window is full: what an event does then. */
static void next_window(void)
{
	struct pomp_log *log = &log_of_thread;
	uint64_t bytes = log->bytes;

	log->cursor = log->limit;
	EXPECT(pomp_log_make_room(log, 0, 1));
	EXPECT(log->bytes > bytes && log->cursor != NULL && log->cursor < log->limit);
	EXPECT(log->bytes % log->window_bytes == 0 || log->bytes > log->window_bytes);
	*log->cursor = 0;
}

static uint64_t payload_of(uint64_t record)
{
	return record * 1000;
}

/* Reads as far as records go. */
static void follow(void *first)
{
	uint64_t *word = first;

	for (uint64_t i = 1; i <= RECORDS; i++) {
		uint64_t head = load_acquire((_Atomic uint64_t *)word);
		if (head == 0)
			return;
		EXPECT(head == pomp_log_word(TRACE_LOG_FORK, i, 0));
		EXPECT(word[1] == trace_log_payload(payload_of(i)));
		word += 2;
	}
}

static void followed(void)
{
	struct pomp_log *log = &log_of_thread;

	library_traces();
	next_window();
	check_start(follow, log->cursor);
	for (uint64_t i = 1; i <= RECORDS; i++) {
		uint64_t payload = payload_of(i);
		pomp_log_append(
		    log, log->cursor, pomp_log_word(TRACE_LOG_FORK, i, 0), &payload, 1, i);
	}
	check_join();
	pomp_log_close(log);
}
HARNESS(pomp_logs_followed, "a log is read while it is written") = {.run = followed};

static void ahead(void)
{
	library_traces();
	for (int i = 0; i < GROWTH + ORDERED; i++)
		next_window();
	pomp_log_close(&log_of_thread);
	EXPECT(load_relaxed(&pomp_experiment.mapped) == 0);
	EXPECT(pomp_experiment.problem[0] == '\0');
	pomp_ahead_stop();
}
HARNESS(pomp_logs_ahead, "windows are prepared ahead") = {.run = ahead};

static void ahead_with_pauses(void)
{
	ahead();
}
HARNESS(pomp_logs_ahead_with_pauses, "and the thread that does it ends when there is nothing") = {
    .run = ahead_with_pauses, .spurious = 2};
