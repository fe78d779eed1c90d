/* SPDX-License-Identifier: BSD-3-Clause */
/* This process as one rank of many: shared/ranks.h has what the MPI wrappers call. */
#ifndef RANKS_H
#define RANKS_H

struct summary;

/* All ranks that trace: their logs become one archive, which the first one's summary then names. */
void pomp_rank_convert(struct summary *summary);

/*
 * The process exits, and MPI was never started: its logs go where those of any process go. Process
 * lock held.
 */
void pomp_rank_without_mpi(void);

#endif
