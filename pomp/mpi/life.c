/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a rank, and what the program tells its profiler through MPI itself. */
#include "call.h"
#include "shared/ranks.h"

#include <stdarg.h>

bool mpi_measures;
_Thread_local unsigned mpi_depth;

/* libpomp is loaded before this library, and its constructor has run. */
__attribute__((constructor)) static void library_loaded(void)
{
	mpi_measures = pomp_rank_announce();
}

/*
 * MPI leaves to the profiler what the levels mean. Ours are those that the standard suggests:
 * 0 off, everything else on; what follows the level is the program's own.
 */
int MPI_Pcontrol(const int level, ...)
{
	static _Thread_local bool off;

	if (level == 0 && !off)
		pomp_off();
	else if (level != 0 && off)
		pomp_on();
	off = level == 0;
	return PMPI_Pcontrol(level);
}
