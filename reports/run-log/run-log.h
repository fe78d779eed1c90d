/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of a small run as few bytes, in the order in which an analysis consumes them, and the
 * definitions that it needs with them: so that a web page can hold both and analyse parts of the
 * run again.
 *
 * Numbers have seven bits a byte from the lowest, the eighth saying that more follow; signed ones
 * are 0, -1, 1, -2, ... An event is its code; if no event had that code before, its location, kind
 * and subject + 1 (0: ARCHIVE_NO_INDEX), which all later events of the code share; its time less
 * that of the event before, signed; and as many numbers as run_log_extras() says. What metrics
 * count is not kept.
 */
#ifndef RUN_LOG_H
#define RUN_LOG_H

#include "archive.h"
#include "bytes.h"

struct run_log {
	struct bytes bytes;
	size_t bytes_max;
	bool full; /* there were more: none are kept */
	struct pair_map codes;
	uint64_t code_count;
	uint64_t last_time; /* ticks */
};

/* Events of times from `start` (ticks) on; of more than bytes_max bytes none are kept. */
void run_log_init(struct run_log *log, uint64_t start, size_t bytes_max);
void run_log_finish(struct run_log *log);

/* `log` is a struct run_log, as analysis_choice.record takes it. */
void run_log_add(void *log, const struct archive_event *event);

/* How many numbers an event of that kind has behind its time: of tasks and of MPI. */
unsigned run_log_extras(uint32_t kind);

/* Reads what was recorded from the same `start` on; events past what cannot be read are none. */
void run_log_replay(const unsigned char *bytes, size_t count, uint64_t start,
    void (*consume)(void *context, const struct archive_event *event), void *context);

/*
 * Writes the archive's definitions to the bytes, or reads them from these into an archive that is
 * all zero: what analyses and the page's tables use of them. Names stay in memory of their own.
 * False: the bytes do not hold them.
 */
bool run_log_definitions(struct bytes *bytes, struct archive *archive);

#endif
