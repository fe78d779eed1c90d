/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: what a program may rely on with schedule(static) written in it.
 * Each thread has at most one chunk, whose iterations it executes one after the other (OpenMP 5.2,
 * 11.5.3), and the same iterations of the next loop of this length. Here are scans by hand, in
 * which an iteration uses the one before it unless it is the first of its thread, and loops with
 * nowait.
 */
#include <omp.h>
#include <stdlib.h>

enum { N = 1009, MOST = 512 };

static long scan[N], part[MOST + 1], twice[N];
static double *own;
#pragma omp threadprivate(own)

/* Each thread scans its chunk; then all before it is added. */
static void scan_chunks(void)
{
#pragma omp parallel
	{
		const int thread = omp_get_thread_num();
		int last = -1;

#pragma omp for schedule(static)
		for (int i = 0; i < N; i++) {
			scan[i] = last < 0 ? i : scan[i - 1] + i;
			last = i;
		}
		part[thread + 1] = last < 0 ? 0 : scan[last];
#pragma omp barrier
#pragma omp single
		for (int i = 0; i < omp_get_num_threads(); i++)
			part[i + 1] += part[i];
#pragma omp for schedule(static) nowait
		for (int i = 0; i < N; i++)
			scan[i] += part[thread];
#pragma omp for schedule(static)
		for (int i = 0; i < N; i++)
			twice[i] = 2 * scan[i];
	}
}

/* The same in a loop that is a region of its own; the chunks' sums are not added. */
static int count_chunks(void)
{
	int begins = 1, chunks = 0;

#pragma omp parallel for schedule(static) firstprivate(begins) reduction(+ : chunks)
	for (int i = 0; i < N; i++) {
		scan[i] = begins ? 1 : scan[i - 1] + 1;
		chunks += begins;
		begins = 0;
	}
	return chunks;
}

/* Memory of each thread that stays from region to region. */
static void use_own_memory(void)
{
#pragma omp parallel
	{
		own = malloc(sizeof *own);
		*own = 0;
	}
#pragma omp parallel for
	for (int i = 0; i < N; i++)
		*own += i;
#pragma omp parallel
	free(own);
}

int main(void)
{
	int wrong = 0;

	omp_set_dynamic(0);
	scan_chunks();
	for (long i = 0; i < N; i++)
		wrong += scan[i] != i * (i + 1) / 2 || twice[i] != i * (i + 1);
	wrong += count_chunks() > omp_get_max_threads();
	use_own_memory();
	return wrong != 0;
}
