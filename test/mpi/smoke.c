/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same few calls of MPI as smoke.F90, for C and C++: check-smoke.py knows how many of each
 * there are. In C++ the calls at both ends go through the C++ bindings, where the MPI has them.
 */
#include <mpi.h>
#include <stdio.h>

enum { MOST = 64, STATUS_SIZE = 16 };

static void exchange(int rank, int size)
{
	int in = -1, all[MOST], counts[MOST], places[MOST];
	MPI_Request requests[2];

	MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	for (int i = 0; i < size; i++) {
		counts[i] = 1;
		places[i] = i;
	}
	MPI_Allgatherv(&in, 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
	if (rank == 0)
		printf("received %d, last %d\n", in, all[size - 1]);
}

static void swap_all(int size)
{
	int out[MOST], in[MOST], counts[MOST], places[MOST];
	MPI_Datatype types[MOST];

	for (int i = 0; i < size; i++) {
		out[i] = i;
		counts[i] = 1;
		places[i] = i * (int)sizeof(int);
		types[i] = MPI_INT;
	}
	MPI_Alltoallw(out, counts, places, types, in, counts, places, types, MPI_COMM_WORLD);
}

static void find_place(int size)
{
	int periods[1] = {0}, place[1] = {0}, rank = -1;
	MPI_Comm line;

	MPI_Cart_create(MPI_COMM_WORLD, 1, &size, periods, 0, &line);
	MPI_Cart_rank(line, place, &rank);
	MPI_Comm_free(&line);
	if (rank != 0)
		printf("place 0 is rank %d\n", rank);
}

int main(int count, char **arguments)
{
	int rank, size, sum = 0, data[4] = {1, 2, 3, 4};
	MPI_Status status = {};
	MPI_Fint converted[STATUS_SIZE];

#ifdef BINDINGS
	MPI::Init(count, arguments);
#else
	MPI_Init(&count, &arguments);
#endif
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Pcontrol(0);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Pcontrol(1);
	if (MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) != MPI_COMM_WORLD ||
	    MPI_Status_c2f(&status, converted) != MPI_SUCCESS)
		printf("not converted\n");
#pragma omp parallel num_threads(2) reduction(+ : sum)
	sum += 1;
	MPI_Bcast(data, 4, MPI_INT, 0, MPI_COMM_WORLD);
	exchange(rank, size);
	swap_all(size);
	find_place(size);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d ranks of %d threads\n", size, sum);
#ifdef BINDINGS
	MPI::Finalize();
#else
	MPI_Finalize();
#endif
	return sum == 2 ? 0 : 1;
}
