/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks' clocks compared: at the two ends of the run, and in collectives in between. */
#ifndef SYNC_H
#define SYNC_H

#include "call.h"

/*
 * All ranks of that communicator: sees which clocks there are, and compares them with rank 0's. The
 * interval (nanoseconds; 0: no comparison in between) is rank 0's.
 */
HIDDEN void mpi_sync_start(MPI_Comm own, uint64_t interval);
HIDDEN void mpi_sync_finish(void);

HIDDEN void mpi_sync_collective(void);
extern HIDDEN bool mpi_sync_wanted;

/* After a collective operation of all ranks: time for another comparison? */
static inline void mpi_sync_after(MPI_Comm comm)
{
	if (mpi_sync_wanted && comm == MPI_COMM_WORLD && mpi_depth == 0)
		mpi_sync_collective();
}

#endif
