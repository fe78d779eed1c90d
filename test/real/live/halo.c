/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat on a square that ranks divide into bands of rows: halo STEPS [ABSENT]. Each step exchanges
 * the rows at the borders and computes the own ones in parallel; each tenth step adds up the
 * change. The rank ABSENT stops taking part after half of the steps: the others wait for it.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { COLUMNS = 1024, ROWS = 256, TAG = 7, ADD_EVERY = 10 };

static double now[ROWS + 2][COLUMNS], next[ROWS + 2][COLUMNS];

static void exchange(int rank, int ranks)
{
	int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
	int below = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;

	MPI_Sendrecv(now[1], COLUMNS, MPI_DOUBLE, above, TAG, now[ROWS + 1], COLUMNS, MPI_DOUBLE,
	    below, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(now[ROWS], COLUMNS, MPI_DOUBLE, below, TAG, now[0], COLUMNS, MPI_DOUBLE, above,
	    TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double compute(void)
{
	double change = 0;

#pragma omp parallel
	{
#pragma omp for reduction(+ : change)
		for (int row = 1; row <= ROWS; row++)
			for (int column = 1; column < COLUMNS - 1; column++) {
				next[row][column] =
				    0.25 * (now[row - 1][column] + now[row + 1][column] +
					       now[row][column - 1] + now[row][column + 1]);
				change += fabs(next[row][column] - now[row][column]);
			}
#pragma omp for
		for (int row = 1; row <= ROWS; row++)
			for (int column = 1; column < COLUMNS - 1; column++)
				now[row][column] = next[row][column];
	}
	return change;
}

static void wait_for_ever(void)
{
	for (;;)
		pause();
}

int main(int count, char **words)
{
	int rank, ranks, steps = count > 1 ? atoi(words[1]) : 1000,
			 absent = count > 2 ? atoi(words[2]) : -1;
	double all = 0;

	MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &rank);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (int row = 0; rank == 0 && row < ROWS; row++)
		now[row][0] = 1;
	for (int step = 0; step < steps; step++) {
		if (rank == absent && step == steps / 2)
			wait_for_ever();
		exchange(rank, ranks);
		double change = compute();
		if (step % ADD_EVERY == 0)
			MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
	if (rank == 0)
		printf("%.6f\n", all);
	MPI_Finalize();
	return 0;
}
