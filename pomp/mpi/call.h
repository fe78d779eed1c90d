/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What every wrapper consists of. A call counts where the program makes it. Calls that the MPI
 * library itself makes meanwhile (its Fortran bindings call the C functions, its file layer calls
 * communicator functions) are part of that call, and so are calls from a callback.
 */
#ifndef CALL_H
#define CALL_H

/* list-calls also generates wrappers for the deprecated functions. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include "pomp-atomics.h"
#include "pomp.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include MPI_CALLS_HEADER /* enum mpi_call; PMPI_x is MPI's own function, hidden by this library's PMPI_x */

#include "shared/processor.h"
#include "shared/ranks.h"

#define HIDDEN __attribute__((visibility("hidden")))

/* One descriptor for each function; registered at the first call. */
extern HIDDEN OMPRegDescr mpi_regions[CALL_COUNT];

/* Stores MPI's own function in its slot in mpi_real. */
HIDDEN void mpi_find_real(enum mpi_call call);

/*
 * Returns whether the caller of PMPI_x at this address is one of Fortran's bindings, on behalf of
 * MPI_x.
 */
HIDDEN bool mpi_is_of_program(enum mpi_call call, const void *address);

/*
 * Every call reads this: POMP_MPI, and whether anything is measured at all. This library's
 * constructor writes it, or MPI_Init if another constructor was faster. Until then calls are passed
 * on unmeasured.
 */
extern HIDDEN bool mpi_measures;

/* The number of wrappers that the thread is in. */
extern HIDDEN _Thread_local unsigned mpi_depth PROCESSOR_THREAD_LOCAL;

/* Returns whether this is a call of the program, which is then measured. */
static inline bool mpi_call_enter(enum mpi_call call)
{
	if (mpi_depth++ > 0 || !mpi_measures)
		return false;
	pomp_begin(&mpi_regions[call]);
	return true;
}

static inline void mpi_call_leave(enum mpi_call call, bool entered)
{
	mpi_depth--;
	if (entered)
		pomp_end(&mpi_regions[call]);
}

/* The same for a measured call, with a note of what it has done. */
static inline void mpi_call_leave_noting(
    enum mpi_call call, enum trace_log_kind kind, uint32_t communicator, const uint64_t *words)
{
	mpi_depth--;
	pomp_rank_leave(&mpi_regions[call], kind, communicator, words);
}

#endif
