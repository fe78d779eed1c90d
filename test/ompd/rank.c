/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank that stops within a region after it has overwritten what its launcher put into the
 * environment. Which rank it is, is then only in the memory of MPI and of those that asked MPI.
 * Given an argument, two ranks of which the first waits in a region for a message of the other.
 * With `wait` that one's threads wait for a lock and a mutex of each other, with `cross` for a
 * message of the first and for a lock; with `play` they send messages back and forth. Scenes with a
 * capital letter wait outside of regions: with `Idle` the second rank waits for a signal, with
 * `Busy` it computes, with `Test` both look by MPI_Test for a message of the other, which with
 * `Answer` comes each time, and with `None` ranks and tags are none or any.
 */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const variables[] = {
    "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE"};

static void __attribute__((noinline)) stop_here(int rank, int size)
{
	printf("MPI says %d of %d\n", rank, size);
	fflush(stdout);
}

static omp_lock_t lock;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void receive_from(int source)
{
	int value;

#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1)
			MPI_Recv(&value, 1, MPI_INT, source, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp barrier
	}
}

/* A thread waits for the lock of the one that waits for the other rank. */
static void receive_with_lock(int source)
{
	int value;

	omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1)
			omp_set_lock(&lock);
#pragma omp barrier
		if (omp_get_thread_num() == 1)
			MPI_Recv(&value, 1, MPI_INT, source, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		else
			omp_set_lock(&lock);
	}
}

/* Two healthy ranks: each number goes to the other one and comes back, for ever. */
static void play(int rank)
{
	for (int value = 0;; value++) {
		if (rank == 0)
			MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
		MPI_Recv(&value, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank == 1)
			MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
#pragma omp parallel num_threads(2)
		{
#pragma omp barrier
		}
	}
}

/* Waits without a call that waits. */
static void look_for(int source)
{
	MPI_Request request;
	int value, is_there = 0;

	MPI_Irecv(&value, 1, MPI_INT, source, 7, MPI_COMM_WORLD, &request);
	while (!is_there)
		MPI_Test(&request, &is_there, MPI_STATUS_IGNORE);
}

/* Two healthy ranks that wait so. */
static void answer(int rank)
{
	for (int value = 0;; value++) {
		if (rank == 0)
			MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
		look_for(1 - rank);
		if (rank == 1)
			MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
	}
}

/* A healthy rank that has no event of OpenMP and calls nothing. */
static void __attribute__((noinline)) compute(void)
{
	for (volatile unsigned i = 0;; i++)
		;
}

/* One receives from a rank and sends to none, one receives whatever comes. */
static void receive_any(int rank)
{
	int value;

	if (rank == 0)
		MPI_Sendrecv(&rank, 1, MPI_INT, MPI_PROC_NULL, 7, &value, 1, MPI_INT, 1, 7,
		    MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	else
		MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
		    MPI_STATUS_IGNORE);
}

/* What has no region around its waits; a team has been there before. */
static void wait_alone(int rank, char scene)
{
	int value;

#pragma omp parallel num_threads(2)
	{
#pragma omp barrier
	}
	if (scene == 'T')
		look_for(1 - rank);
	else if (scene == 'A')
		answer(rank);
	else if (scene == 'N')
		receive_any(rank);
	else if (rank == 0)
		MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	else if (scene == 'B')
		compute();
	else
		for (;;)
			pause();
}

static void hang(void)
{
	omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0)
			pthread_mutex_lock(&mutex);
		else
			omp_set_lock(&lock);
#pragma omp barrier
		if (omp_get_thread_num() == 0)
			omp_set_lock(&lock);
		else
			pthread_mutex_lock(&mutex);
	}
}

static void wait_for_ever(int rank, char scene)
{
	alarm(600);
	printf("rank %d is %d\n", rank, (int)getpid());
	fflush(stdout);
	if (scene >= 'A' && scene <= 'Z')
		wait_alone(rank, scene);
	else if (scene == 'p')
		play(rank);
	else if (scene == 'c' && rank == 1)
		receive_with_lock(0);
	else if (scene == 'c' || rank == 0)
		receive_from(1);
	else
		hang();
}

int main(int count, char **arguments)
{
	int rank, size, provided;

	MPI_Init_thread(
	    &count, &arguments, count > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (count > 1)
		wait_for_ever(rank, arguments[1][0]);
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		if (getenv(variables[i]) != NULL)
			getenv(variables[i])[0] =
			    '?'; /* in place: every copy of the vector has it */
#pragma omp parallel num_threads(2)
	{
#pragma omp barrier
#pragma omp master
		stop_here(rank, size);
	}
	MPI_Finalize();
	return 0;
}
