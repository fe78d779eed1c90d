/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schedule(dynamic) and schedule(guided), with and without chunk size, monotonic and nonmonotonic:
 * every iteration once, whole chunks on one thread, and under monotonic each thread's iterations
 * rise. OpenMP 5.1, 2.11.4.
 */
#include "loop-shapes.h"

#define MOST 1500

static int owner[MOST];

static void dynamic_one(int iterations)
{
	disown(owner, MOST);
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < iterations; i++)
		own(owner, i);
	check_all_owned(owner, iterations, omp_get_max_threads());
	CHECK_ALL(owner + iterations, MOST - iterations, -1);
}

static void dynamic_chunks(int iterations, int chunk)
{
	disown(owner, MOST);
#pragma omp parallel
#pragma omp for schedule(nonmonotonic : dynamic, chunk)
	for (int i = 0; i < iterations; i++)
		own(owner, i);
	check_dynamic_chunks(owner, iterations, chunk, omp_get_max_threads());
	CHECK_ALL(owner + iterations, MOST - iterations, -1);
}

static void guided_chunks(int iterations, int chunk)
{
	disown(owner, MOST);
#pragma omp parallel
#pragma omp for schedule(guided, chunk)
	for (int i = 0; i < iterations; i++)
		own(owner, i);
	check_guided_chunks(owner, iterations, chunk, omp_get_max_threads());
	CHECK_ALL(owner + iterations, MOST - iterations, -1);
}

static void monotonic(int chunk)
{
	int seen[2] = {0, 0};

#pragma omp parallel
	{
		int last = -1;

#pragma omp for schedule(monotonic : dynamic, chunk)
		for (int i = 0; i < MOST; i++) {
			CHECK(i > last);
			last = i;
			count(&seen[0]);
		}
		last = -1;
#pragma omp for schedule(monotonic : guided, chunk)
		for (int i = 0; i < MOST; i++) {
			CHECK(i > last);
			last = i;
			count(&seen[1]);
		}
	}
	CHECK_ALL(seen, 2, MOST);
}

/*
 * A thread that sits in one long iteration has requested that chunk and no more: all the rest is
 * there for the others, wherever in the loop the long iteration is.
 */
static void others_take_the_rest(int length, int slow)
{
	int done = 0;

	if (omp_get_max_threads() == 1)
		return;
#pragma omp parallel for schedule(dynamic, 1)
	for (int i = 0; i < length; i++) {
		if (i == slow)
			CHECK(await_flag(&done, length - 1));
		else
			raise_flag(&done);
	}
	CHECK_EQUAL(done, length - 1);
}

int main(void)
{
	static const int lengths[] = {0, 1, 2, 5, 31, 32, 33, 257, MOST};

	omp_set_dynamic(0);
	for (unsigned i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		dynamic_one(lengths[i]);
		for (int chunk = 1; chunk <= 64; chunk = chunk * 3 + 1) {
			dynamic_chunks(lengths[i], chunk);
			guided_chunks(lengths[i], chunk);
		}
	}
	dynamic_chunks(10, 1000);
	guided_chunks(10, 1000);
	monotonic(1);
	monotonic(7);
	others_take_the_rest(50, 0);
	others_take_the_rest(50, 25);
	others_take_the_rest(1000, 500);
	return check_result();
}
