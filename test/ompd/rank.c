/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank that stops within a region after it has overwritten what its launcher put into the
 * environment. Which rank it is, is then only in the memory of MPI and of those that asked MPI.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const variables[] = {
    "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE"};

static void __attribute__((noinline)) stop_here(int rank, int size)
{
	printf("MPI says %d of %d\n", rank, size);
	fflush(stdout);
}

int main(int count, char **arguments)
{
	int rank, size, provided;

	MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
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
