/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What libpomp does for the library of MPI wrappers, and what it needs of it: libpomp itself knows
 * no MPI. The process is one rank of a program of many.
 */
#ifndef SHARED_RANKS_H
#define SHARED_RANKS_H

#include "pomp.h"
#include "trace-log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How to reach the other ranks of a group: all of the program, or those of one kind. Everything but
 * send and receive is called by all of them in the same order. Each returns 0, or -1 when they
 * cannot be reached any more.
 */
struct pomp_ranks {
	uint32_t rank, size;           /* in the group, in the order of the world's */
	uint32_t number, program_size; /* the same in MPI_COMM_WORLD */
	int (*broadcast)(const struct pomp_ranks *ranks, void *data, size_t bytes, uint32_t root);
	int (*send)(const struct pomp_ranks *ranks, const void *data, size_t bytes, uint32_t to);
	int (*receive)(const struct pomp_ranks *ranks, void *data, size_t bytes, uint32_t from);
	int (*barrier)(const struct pomp_ranks *ranks);
	/* Sums over all ranks, for all; and over the ranks before this one. */
	int (*sum)(const struct pomp_ranks *ranks, uint64_t *values, int count);
	int (*before)(const struct pomp_ranks *ranks, uint64_t *values, int count);
	/*
	 * Those that say yes, as a group of their own; NULL for the others, and when it cannot be
	 * made.
	 */
	const struct pomp_ranks *(*only)(const struct pomp_ranks *ranks, bool yes);
};

/* What the wrappers have to know. */
struct pomp_rank_state {
	bool measures;       /* the program's calls are to be entered and left */
	bool separate;       /* exchanges nothing with other ranks, which may lack the wrappers */
	uint64_t clock_sync; /* POMP_CLOCK_SYNC, nanoseconds; 0: only at the run's two ends */
};

/* What the ranks have agreed on. They need not be measured alike. */
struct pomp_rank_agreement {
	const struct pomp_ranks *traced; /* whose logs become one archive; NULL: not this one's */
	uint32_t noting; /* how many log what calls mean: they trace, and measure MPI's calls */
};

#pragma GCC visibility push(default)

/* Before main(): this process is going to be a rank. */
struct pomp_rank_state pomp_rank_announce(void);

/*
 * All ranks call this (in MPI_Init), also those that do not measure: from here on they are one
 * program. Of separate ranks each is a group of its own, with its number in the program.
 * Finds or makes the folder that those which trace share. `ranks`, and the groups that it made,
 * stay valid until pomp_rank_finish() returns.
 */
struct pomp_rank_agreement pomp_rank_start(const struct pomp_ranks *ranks);

/*
 * Logs what a call means, one record with up to four payload words. What begins has the time at
 * which its call was entered, what is done has the time now.
 */
void pomp_rank_note(enum trace_log_kind kind, uint32_t communicator, const uint64_t *words);

/*
 * A note of what is done with its call, and the end of that call, in one: both have the same time.
 */
void pomp_rank_leave(
    OMPRegDescr *region, enum trace_log_kind kind, uint32_t communicator, const uint64_t *words);

/* Defines a communicator; members: as many as it says there are. */
void pomp_rank_define(const struct trace_log_comm *comm, const uint32_t *members);
void pomp_rank_name(uint64_t identity, const char *name);

/* Which clock this rank has: ranks with the same number share one. And what it shows. */
uint64_t pomp_rank_clock(void);
uint64_t pomp_rank_ticks(void);

/* Remembers one comparison with rank 0's clock. */
void pomp_rank_synchronised(const struct trace_log_sync *sync);

/*
 * The program ends its ranks (in MPI_Finalize): measuring stops, the ranks' logs become one archive
 * and their profiles one summary, which rank 0 prints.
 */
void pomp_rank_finish(void);

#pragma GCC visibility pop

#endif
