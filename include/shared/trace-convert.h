/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns the event logs of an experiment folder (shared/trace-log.h) into one OTF2 archive,
 * traces.otf2 in the same folder: called by libpomp when a program ends and by `ompreport recover`
 * when it was killed.
 */
#ifndef SHARED_TRACE_CONVERT_H
#define SHARED_TRACE_CONVERT_H

#include "shared/code-names.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Bytes of logs for which a further thread is worth while: it takes about 0.2 ms, in which one that
 * is there converts 30 KB.
 */
enum { TRACE_CONVERSION_THREAD = 128 << 10 };

/*
 * OTF2 has no definition of locks: the name of one is a property of its process (location group),
 * this text with the lock's number behind it.
 */
#define TRACE_LOCK_PROPERTY "POMP::LOCK_"

struct trace_conversion {
	bool keep_logs;      /* set by the caller: leave the logs in the folder after success */
	bool has_event_cost; /* set by the caller: event_cost is known */
	/*
	 * Set by the caller: cpu_set_t of those to use, as far as that is worth while; NULL: the
	 * thread's own.
	 */
	const void *processors;
	/*
	 * Set by the caller: finds names for regions that are known by their code, and for lock
	 * variables, that have none yet; NULL: none does.
	 */
	const struct code_names_table *names;
	struct code_namer *namer;
	uint64_t event_cost; /* ns that measuring took, all threads; for the archive's properties */
	bool complete;       /* the program ended in the usual way: the log has its end */
	bool was_complete; /* the archive was there: only the rest of its logs was removed, nothing
			      counted */
	uint64_t ranks;    /* of a folder that ranks share; 0: it is one process's */
	uint64_t ranks_missing;  /* that left no logs */
	uint64_t early_messages; /* seemed to arrive before they were sent, by the clocks of several
				    machines */
	uint64_t early_kept;     /* and still do, because these clocks contradict each other */
	uint64_t locations, events;
	uint64_t lost_events; /* that the program could not log */
	uint64_t closed;      /* regions that were open at the end and were closed there */
};

/*
 * Converts the folder's logs. Returns 0, or -1 with a one-line message in *error (heap, caller
 * frees); the logs then stay as they are. An archive that is there already is not overwritten.
 * Whatever an interrupted conversion left is removed first: it may be interrupted at any moment and
 * started again.
 */
int trace_convert(const char *folder, struct trace_conversion *conversion, char **error);

/*
 * The same by all ranks together, each with the folder of its own logs in the one they share.
 * Returns -1 at all ranks when it failed at one; those that know why have a message.
 */
struct pomp_ranks;
int trace_convert_rank(const char *folder, const char *own, const struct pomp_ranks *ranks,
    struct trace_conversion *conversion, char **error);

/* Whether this build can write OTF2 at all. */
bool trace_convert_available(void);

#endif
