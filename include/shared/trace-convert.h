/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns the event logs of an experiment folder (shared/trace-log.h) into one OTF2 archive,
 * traces.otf2 in the same folder. libpomp calls it when a program ends, and `ompreport recover` if
 * the program was killed.
 */
#ifndef SHARED_TRACE_CONVERT_H
#define SHARED_TRACE_CONVERT_H

#include "shared/code-names.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Bytes of logs for which a further thread is worthwhile: starting one takes about 0.2 ms, in which
 * an existing thread converts 30 KB.
 */
enum { TRACE_CONVERSION_THREAD = 128 << 10 };

/*
 * OTF2 has no definition of locks: a lock's name is a property of its process (location group),
 * whose key is this text followed by the lock's number.
 */
#define TRACE_LOCK_PROPERTY "POMP::LOCK_"

/*
 * Neither has it one of lines that called a region: each is a property, whose key is this text
 * followed by a number. Its value is "REGION CALLS NANOSECONDS LINE INNER" (the region's reference,
 * two line numbers), a space, then function and file of the first line and of the inner one, with
 * line feeds between these four.
 */
#define TRACE_CALLER_PROPERTY "POMP::CALLER_"

struct trace_conversion {
	bool keep_logs;      /* set by the caller: leave the logs in the folder after success */
	bool has_event_cost; /* set by the caller: event_cost is known */
	/*
	 * Set by the caller: cpu_set_t of the processors to use, as far as that is worthwhile;
	 * NULL: the thread's own.
	 */
	const void *processors;
	/*
	 * Set by the caller: finds names for regions identified by their code and for lock
	 * variables that have no names yet; NULL: none are found.
	 */
	const struct code_names_table *names;
	struct code_namer *namer;
	uint64_t event_cost; /* ns spent on measuring, all threads; for the archive's properties */
	bool complete;       /* the program ended normally: the log has its end */
	bool was_complete; /* the archive existed: only its remaining logs were removed; nothing was
			      counted */
	uint64_t ranks;    /* number of ranks that share the folder; 0: a folder of one process */
	uint64_t ranks_missing;  /* ranks that left no logs */
	uint64_t early_messages; /* messages that seemed to arrive before they were sent, because
				    machines' clocks differ */
	uint64_t early_kept; /* those that still do, because these clocks contradict each other */
	uint64_t locations, events;
	uint64_t lost_events; /* events that the program could not log */
	uint64_t closed;      /* regions that were still open at the end and were closed there */
};

/*
 * Converts the folder's logs. Returns 0, or -1 with a one-line message in *error (heap, caller
 * frees); the logs are then unchanged. An existing archive is not overwritten. Leftovers of an
 * interrupted conversion are removed first: a conversion may be interrupted at any moment and
 * started again.
 */
int trace_convert(const char *folder, struct trace_conversion *conversion, char **error);

/*
 * The same for all ranks together, each with the folder of its own logs within the shared one.
 * Returns -1 at all ranks if it failed at one; ranks that know the reason have a message.
 */
struct pomp_ranks;
int trace_convert_rank(const char *folder, const char *own, const struct pomp_ranks *ranks,
    struct trace_conversion *conversion, char **error);

#endif
