/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What measuring costs a message of 8 bytes. Two ranks send it to and fro; a single one sends it to
 * itself, where no waiting hides anything, if the MPI lets it. Prints the time of one MPI_Send and
 * its MPI_Recv in nanoseconds, the least of many rounds. With one argument, how many pairs a round
 * has.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 200 };

int main(int argc, char **argv)
{
	int rank, size, pairs = argc > 1 ? atoi(argv[1]) : 1000;
	double value = 0, least = 1e9;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int round = 0; round < ROUNDS; round++) {
		MPI_Barrier(MPI_COMM_WORLD);
		double start = MPI_Wtime();
		for (int i = 0; i < pairs; i++) {
			if (rank == 0) {
				MPI_Send(&value, 1, MPI_DOUBLE, size > 1, 0, MPI_COMM_WORLD);
				MPI_Recv(&value, 1, MPI_DOUBLE, size > 1, 0, MPI_COMM_WORLD,
				    MPI_STATUS_IGNORE);
			} else if (rank == 1) {
				MPI_Recv(
				    &value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
				MPI_Send(&value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
			}
		}
		double time = (MPI_Wtime() - start) / ((size > 1 ? 2.0 : 1.0) * pairs);
		least = time < least ? time : least;
	}
	if (rank == 0)
		printf("%.1f\n", least * 1e9);
	MPI_Finalize();
	return 0;
}
