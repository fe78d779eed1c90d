/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What libpomp does for the library of MPI wrappers, and what it needs from it: libpomp itself does
 * not use MPI. The process is one rank of a program with many.
 */
#ifndef SHARED_RANKS_H
#define SHARED_RANKS_H

#include "pomp.h"
#include "trace-log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How to reach the other ranks of a group: all ranks of the program, or a subset. All ranks of the
 * group must call everything except send and receive, in the same order. Each function returns 0,
 * or -1 when the others can no longer be reached.
 */
struct pomp_ranks {
	uint32_t rank, size;           /* in the group, ordered as in the world */
	uint32_t number, program_size; /* the same in MPI_COMM_WORLD */
	int (*broadcast)(const struct pomp_ranks *ranks, void *data, size_t bytes, uint32_t root);
	int (*send)(const struct pomp_ranks *ranks, const void *data, size_t bytes, uint32_t to);
	int (*receive)(const struct pomp_ranks *ranks, void *data, size_t bytes, uint32_t from);
	int (*barrier)(const struct pomp_ranks *ranks);
	/*
	 * The sums over all ranks, delivered to all; and the sums over the ranks before this one.
	 */
	int (*sum)(const struct pomp_ranks *ranks, uint64_t *values, int count);
	int (*before)(const struct pomp_ranks *ranks, uint64_t *values, int count);
	/*
	 * Returns the ranks with `yes` as a group of their own; NULL for the other ranks, and on
	 * failure.
	 */
	const struct pomp_ranks *(*only)(const struct pomp_ranks *ranks, bool yes);
};

/* What the wrappers must know. */
struct pomp_rank_state {
	bool measures;       /* the wrappers measure the program's calls */
	bool separate;       /* exchanges nothing with other ranks, which may lack the wrappers */
	uint64_t clock_sync; /* POMP_CLOCK_SYNC in nanoseconds; 0: only at both ends of the run */
};

/* What the ranks have agreed on. They need not all be measured in the same way. */
struct pomp_rank_agreement {
	const struct pomp_ranks *traced; /* their logs become one archive; NULL: not this rank's */
	uint32_t noting; /* the number of ranks that log what calls mean: they trace, and measure
			    MPI's calls */
};

#pragma GCC visibility push(default)

/* Called before main(): this process is going to be a rank. */
struct pomp_rank_state pomp_rank_announce(void);

/*
 * All ranks call this (in MPI_Init), including those that do not measure: from here on they are one
 * program. With separate ranks, each is a group of its own, with its number in the program. Finds
 * or makes the folder that the tracing ranks share. `ranks`, and the groups it made, stay valid
 * until pomp_rank_finish() returns.
 */
struct pomp_rank_agreement pomp_rank_start(const struct pomp_ranks *ranks);

/*
 * Logs what a call means, in one record with up to four payload words. A record of a beginning gets
 * the time at which its call was entered, a record of a completion the current time.
 */
void pomp_rank_note(enum trace_log_kind kind, uint32_t communicator, const uint64_t *words);

/* Logs a completion together with the end of its call, at the same time. */
void pomp_rank_leave(
    OMPRegDescr *region, enum trace_log_kind kind, uint32_t communicator, const uint64_t *words);

/* Defines a communicator; `members` has member_count entries. */
void pomp_rank_define(const struct trace_log_comm *comm, const uint32_t *members);
void pomp_rank_name(uint64_t identity, const char *name);

/*
 * The first returns the number of this rank's clock: ranks with the same number share one clock.
 * The second returns its current time.
 */
uint64_t pomp_rank_clock(void);
uint64_t pomp_rank_ticks(void);

/* Records one comparison with rank 0's clock. */
void pomp_rank_synchronised(const struct trace_log_sync *sync);

/*
 * The program ends its ranks (in MPI_Finalize): measuring stops, the ranks' logs become one archive
 * and their profiles one summary, which rank 0 prints.
 */
void pomp_rank_finish(void);

#pragma GCC visibility pop

#endif
