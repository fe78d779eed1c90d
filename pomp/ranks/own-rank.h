/* SPDX-License-Identifier: BSD-3-Clause */
/* This process as one rank of many: shared/ranks.h declares what the MPI wrappers call. */
#ifndef OWN_RANK_H
#define OWN_RANK_H

struct summary;

/*
 * Called by all tracing ranks: makes one archive of their logs, which the first rank's summary
 * mentions.
 */
void pomp_rank_convert(struct summary *summary);

/*
 * The process exits, and MPI was never started: its logs are kept like those of any process.
 */
void pomp_rank_without_mpi(void);

#endif
