/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each thread of each rank did with its time, and what the calls of MPI waited for by region:
 * the figures of `ompreport ranks` and `ompreport messages`, which the page shows as well.
 */
#ifndef RANK_TIMES_H
#define RANK_TIMES_H

#include "analysis.h"

/* One thread's time; ticks. execution = computation + waits + team + mpi + idle. */
struct rank_thread {
	uint32_t process;     /* its rank, where it is one; ARCHIVE_NO_INDEX without a group */
	uint64_t execution;   /* the run's wall time */
	uint64_t computation; /* serial part, work, tasks */
	uint64_t barrier, critical, lock, task_wait;
	uint64_t
	    imbalance; /* a part of the barriers, in outermost teams: work that others had more */
	uint64_t team; /* starting and ending teams */
	uint64_t mpi, mpi_wait, mpi_transfer; /* mpi = wait + transfer */
	uint64_t idle;                        /* in no team */
};

struct rank_thread ranks_thread(const struct analysis *analysis, size_t location);

/* All that it waited for other threads and ranks: what the picture of waits shows. */
static inline uint64_t ranks_wait(const struct rank_thread *thread)
{
	return thread->barrier + thread->critical + thread->lock + thread->task_wait +
	       thread->mpi_wait;
}

/* A function of MPI in the construct that it was called in: over all chosen threads. */
struct rank_region {
	char *name;                /* "MPI_Recv", or "MPI_Recv in solver.c:12 single" */
	const char *call, *caller; /* the two parts of it; caller: "" outside of all constructs */
	const struct mpi_site *site;
	uint64_t visits, time, wait, transfer;        /* ticks; time = wait + transfer */
	uint64_t waits[MPI_WAITS], counts[MPI_WAITS]; /* and how many visits waited */
	/*
	 * By wait: processes that waited, the one that did so most, and the one that was waited for
	 * most; ARCHIVE_NO_INDEX: none.
	 */
	uint32_t waiting[MPI_WAITS], waited_most[MPI_WAITS], late_most[MPI_WAITS];
};

struct rank_regions {
	struct rank_region *regions; /* longest wait first, then most time */
	size_t count;
};

struct rank_regions ranks_regions(const struct analysis *analysis);
void ranks_free_regions(struct rank_regions *regions);

#endif
