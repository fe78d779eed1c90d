/* SPDX-License-Identifier: BSD-3-Clause */
/* This process as one rank of many: what shared/ranks.h promises to the MPI wrappers. */
#include "shared/ranks.h"

#include "process.h"

bool pomp_rank_announce(void)
{
	return pomp_process_start() && pomp_process.settings.mpi;
}
