/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of a small run in few bytes, in the order in which an analysis consumes them, and the
 * definitions that the analysis needs. A web page can contain both and analyse parts of the run
 * again.
 *
 * Numbers have seven bits per byte, lowest first; the eighth bit means that more bytes follow.
 * Signed numbers are 0, -1, 1, -2, ... An event is its code; if the code is new, its location, kind
 * and subject + 1 (0: ARCHIVE_NO_INDEX), which all later events with this code share; its time
 * minus that of the previous event, signed; and as many numbers as run_log_extras() returns. Of
 * metrics only the kernel's figures keep their values, each as its growth since the thread's
 * previous ones, signed; their events have the kind RUN_LOG_USAGE in the bytes.
 */
#ifndef RUN_LOG_H
#define RUN_LOG_H

#include "archive.h"
#include "bytes.h"
#include "shared/trace-usage.h"

enum { RUN_LOG_USAGE = EVENT_KINDS, RUN_LOG_KINDS };

/* The kernel's figures that each location had last. */
struct last_usage {
	uint64_t (*of)[TRACE_USAGE_VALUES];
	size_t room;
};

struct run_log {
	const struct archive *archive;
	struct bytes bytes;
	size_t bytes_max;
	bool full; /* there were too many: none are kept */
	struct pair_map codes;
	uint64_t code_count;
	uint64_t last_time; /* ticks */
	struct last_usage usage;
};

/* Logs the archive's events; if they need more than bytes_max bytes, none are kept. */
void run_log_init(struct run_log *log, const struct archive *archive, size_t bytes_max);
void run_log_finish(struct run_log *log);

/* `log` is a struct run_log; the signature is that of analysis_choice.record. */
void run_log_add(void *log, const struct archive_event *event);

/* How many numbers follow the time of an event of that kind: for tasks, MPI and RUN_LOG_USAGE. */
unsigned run_log_extras(uint32_t kind);

/* Replays the archive's events; stops at the first one that cannot be read. */
void run_log_replay(const struct archive *archive, const unsigned char *bytes, size_t count,
    void (*consume)(void *context, const struct archive_event *event), void *context);

/*
 * Writes the archive's definitions to the bytes, or reads them from the bytes into an archive that
 * is all zeros. Contains what analyses and the page's tables use. Texts that are read are
 * allocated. Returns false if the bytes are not valid.
 */
bool run_log_definitions(struct bytes *bytes, struct archive *archive);

#endif
