/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the ranks' clocks: at the two ends of the run, and during collectives in between. */
#ifndef SYNC_H
#define SYNC_H

#include "call.h"

/*
 * Called by all ranks of that communicator: finds out which clocks there are, and compares them
 * with rank 0's. The interval is rank 0's (nanoseconds; 0: no comparison in between).
 */
HIDDEN void mpi_sync_start(MPI_Comm own, uint64_t interval);
HIDDEN void mpi_sync_finish(void);

HIDDEN void mpi_sync_collective(void);
extern HIDDEN bool mpi_sync_wanted;

/* After a collective operation of all ranks: compares the clocks if it is time. */
static inline void mpi_sync_after(MPI_Comm comm)
{
	if (mpi_sync_wanted && comm == MPI_COMM_WORLD && mpi_depth == 0)
		mpi_sync_collective();
}

#endif
