/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schedule(static): blocks without a chunk size, a round-robin of chunks with one, and the same
 * assignment in a second loop of the same length, so that nowait between them is safe.
 * OpenMP 5.1, 2.11.4.
 */
#include "loop-shapes.h"

#define MOST 1000

static int owner[MOST];

static void blocks(int iterations)
{
	int threads = 0;

	disown(owner, MOST);
#pragma omp parallel
	{
#pragma omp single nowait
		threads = omp_get_num_threads();
#pragma omp for schedule(static)
		for (int i = 0; i < iterations; i++)
			own(owner, i);
	}
	check_static_blocks(owner, iterations, threads);
	CHECK_ALL(owner + iterations, MOST - iterations, -1);
}

static void chunks(int iterations, int chunk)
{
	int threads = 0;

	disown(owner, MOST);
#pragma omp parallel
	{
#pragma omp single nowait
		threads = omp_get_num_threads();
#pragma omp for schedule(static, chunk)
		for (int i = 0; i < iterations; i++)
			own(owner, i);
	}
	check_static_chunks(owner, iterations, chunk, threads);
	CHECK_ALL(owner + iterations, MOST - iterations, -1);
}

static void same_assignment_twice(void)
{
	int first[MOST];

#pragma omp parallel
	{
#pragma omp for schedule(static) nowait
		for (int i = 0; i < MOST; i++)
			first[i] = 3 * i;
#pragma omp for schedule(static)
		for (int i = 0; i < MOST; i++)
			CHECK_EQUAL(first[i], 3 * i);
	}
}

/* An ordered loop asks the runtime for each chunk, where the others compute their own. */
static void shapes_from_the_runtime(int iterations, int chunk)
{
	int next = 0;

	disown(owner, MOST);
#pragma omp parallel for ordered schedule(static, chunk)
	for (int i = 0; i < iterations; i++) {
		own(owner, i);
#pragma omp ordered
		CHECK_EQUAL(next++, i);
	}
	check_static_chunks(owner, iterations, chunk, omp_get_max_threads());

	disown(owner, MOST);
#pragma omp parallel for ordered schedule(static)
	for (int i = 0; i < iterations; i++) {
		own(owner, i);
#pragma omp ordered
		next--;
	}
	check_static_blocks(owner, iterations, omp_get_max_threads());
	CHECK_EQUAL(next, 0);
}

int main(void)
{
	static const int lengths[] = {0, 1, 2, 7, 31, 32, 33, 100, 999, MOST};

	omp_set_dynamic(0);
	for (unsigned i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		blocks(lengths[i]);
		for (int chunk = 1; chunk <= 64; chunk = chunk * 2 + 1)
			chunks(lengths[i], chunk);
	}
	same_assignment_twice();
	for (int chunk = 1; chunk < 12; chunk += 5)
		shapes_from_the_runtime(67, chunk);
	shapes_from_the_runtime(3, 2);
	return check_result();
}
