/* SPDX-License-Identifier: BSD-3-Clause */
/* A recursive tree: results climb to the root through taskwait alone, across thieves. */
#include "plant.h"

static int leaves;

static long fibonacci(int n)
{
	long one = 0;
	long two = 0;

	if (n < 2) {
		if (PLANTED)
			leaves++;
		return n;
	}
#pragma omp task shared(one)
	one = fibonacci(n - 1);
#pragma omp task shared(two)
	two = fibonacci(n - 2);
#pragma omp taskwait
	return one + two;
}

int main(void)
{
	long result = 0;
	int here = 0;

#pragma omp parallel num_threads(THREADS)
	{
		wait_if_planted(&here, THREADS);
		leaves += PLANTED;
#pragma omp single
		result = fibonacci(12);
	}
	CHECK_RESULT(result, 144);
	return check_result();
}
