/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: loops without a schedule clause and without a barrier between them.
 * Their schedule is the implementation's choice, but one choice for all of them: loops of one
 * length give each thread the same iterations, also in functions, and with buffers that belong to
 * threads.
 */
#include <omp.h>
#include <stdlib.h>

enum { N = 600, WIDTH = 16, MOST = 512 };

static int first[N], second[N], third[N], buffers[MOST][WIDTH];

static void make_third(void)
{
#pragma omp for nowait
	for (int i = 0; i < N; i++)
		third[i] = first[i] + second[i];
}

int main(void)
{
	int wrong = 0;

#pragma omp parallel
	{
		int *buffer = buffers[omp_get_thread_num()];
		int *memory = malloc(WIDTH * sizeof *memory);

#pragma omp for nowait
		for (int i = 0; i < N; i++)
			first[i] = i;
#pragma omp for nowait
		for (int i = 0; i < N; i++)
			second[i] = 2 * first[i];
		make_third();
#pragma omp for nowait
		for (unsigned long long i = 0; i < N; i++) {
			for (int j = 0; j < WIDTH; j++)
				buffer[j] = memory[j] = third[i];
			third[i] = buffer[i % WIDTH] + memory[(i + 1) % WIDTH];
		}
		free(memory);
	}
	for (int i = 0; i < N; i++)
		wrong += third[i] != 6 * i;
	return wrong != 0;
}
