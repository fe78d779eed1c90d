/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each thread of each rank did with its time, and how long MPI calls waited in each region:
 * the figures of `ompreport ranks` and `ompreport messages`, which the page also shows.
 */
#ifndef RANK_TIMES_H
#define RANK_TIMES_H

#include "analysis.h"

/*
 * One thread's time; ticks. execution = computation + delayed + blocked + waits + team + mpi +
 * idle.
 */
struct rank_thread {
	uint32_t process;          /* its rank if it is one; ARCHIVE_NO_INDEX without a group */
	uint64_t execution;        /* the run's wall time */
	uint64_t computation;      /* serial part, work, tasks */
	uint64_t delayed, blocked; /* it had work, and no processor, or was in system calls */
	uint64_t barrier, critical, lock, task_wait;
	uint64_t imbalance; /* a part of the barriers, in outermost teams: others had more work */
	uint64_t team;      /* starting and ending teams */
	uint64_t mpi, mpi_wait, mpi_transfer; /* mpi = wait + transfer */
	uint64_t idle;                        /* in no team */
};

struct rank_thread ranks_thread(const struct analysis *analysis, size_t location);

/* All its waits for other threads and ranks, as in the picture of waits. */
static inline uint64_t ranks_wait(const struct rank_thread *thread)
{
	return thread->barrier + thread->critical + thread->lock + thread->task_wait +
	       thread->mpi_wait;
}

/* Parts of a rank's time; what is left of it is idle. */
enum { RANK_PARTS = 9, RANK_COMPUTATION = 0, RANK_MPI_WAIT = 7 };

/* The times of a thread's parts in their order, ticks. */
void rank_part_times(const struct rank_thread *thread, uint64_t times[RANK_PARTS]);

/* Sums over a rank's threads, ticks. */
struct rank_sum {
	size_t first, threads; /* its locations */
	uint64_t execution;    /* the wall time of each thread */
	uint64_t times[RANK_PARTS], idle;
};

/* All processes that have threads, in their order. */
struct rank_profiles {
	struct rank_sum *sums;
	double *shares;  /* ranks x RANK_PARTS: of the execution, the mean of its threads */
	size_t *numbers; /* by rank: as --rank takes it */
	size_t count;
};

/* None if the run took no time. */
struct rank_profiles rank_profiles_find(const struct analysis *analysis);
void rank_profiles_free(struct rank_profiles *ranks);

/* An MPI function in the construct that called it, over all chosen threads. */
struct rank_region {
	char *name;                /* "MPI_Recv", or "MPI_Recv in solver.c:12 single" */
	const char *call, *caller; /* the parts of the name; caller: "" outside of constructs */
	const struct mpi_site *site;
	uint64_t visits, time, wait, transfer;        /* ticks; time = wait + transfer */
	uint64_t waits[MPI_WAITS], counts[MPI_WAITS]; /* counts: how many visits waited */
	/*
	 * By kind of wait: the number of processes that waited, the one that waited most, and the
	 * one that was waited for most; ARCHIVE_NO_INDEX: none.
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
