/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank that stops within a region after it has overwritten what its launcher put into the
 * environment. Which rank it is, is then only in the memory of MPI and of those that asked MPI.
 * Given an argument, two ranks of which the first waits in a region for a message of the other.
 * With `wait` that one's threads wait for a lock and a mutex of each other, with `cross` for a
 * message of the first and for a lock; with `play` they send messages back and forth.
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
	if (scene == 'p')
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
