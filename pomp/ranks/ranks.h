/* SPDX-License-Identifier: BSD-3-Clause */
/* This process as one rank of many: shared/ranks.h has what the MPI wrappers call. */
#ifndef RANKS_H
#define RANKS_H

#include "shared/ranks.h"

struct summary;

struct pomp_rank {
	bool announced; /* the wrappers are loaded */
	/*
	 * From MPI_Init to the report; written by the thread that calls MPI. The program's, and the
	 * groups of those whose logs become one archive and whose profiles one summary; NULL: this
	 * one's does not.
	 */
	const struct pomp_ranks *ranks, *traced, *profiled;
	char *folder;  /* of those that trace; NULL: there is none, or not yet */
	bool gathered; /* they all see the same folder */
	bool lost;     /* the process ends and MPI_Finalize never came */
};

/* Whether what concerns all ranks that trace is to be told by this one. */
bool pomp_rank_speaks(void);

/* The folder of this rank's logs within that of all ranks; and one until there is such a folder,
 * for which it takes the wanted one's name. Both heap, NULL when memory ran out. */
char *pomp_rank_path(void);
char *pomp_rank_part(char *wanted);

/* All ranks that trace: their logs become one archive, which the first one's summary then names. */
void pomp_rank_convert(struct summary *summary);

/*
 * The process exits, and MPI was never started: its logs go where those of any process go. Process
 * lock held.
 */
void pomp_rank_alone(void);

/* The process exits: if it is a rank, the others are not waited for any more. */
void pomp_rank_lost(void);

#endif
