/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instrumented: 3
 *
 * Assumptions (OpenMP 5.2, 8.3): what is said to be true stays true when calls are put beside it,
 * and a region that is said to have no parallelism has none.
 */
#include <omp.h>
#include <stdio.h>

#pragma omp begin assumes ext_unknown_extension
static int twice(int number)
{
	return 2 * number;
}
#pragma omp end assumes
#pragma omp assumes absent(target, teams)

static int half(int number)
{
	int result = 0;

#pragma omp assume holds(number % 2 == 0) no_openmp
	{
		result = number / 2;
	}
#pragma omp assume no_openmp_routines contains(simd)
	result += 0;
	return result;
}

int main(void)
{
	int total = 0;

#pragma omp parallel num_threads(3) reduction(+ : total)
	{
#pragma omp assume contains(for) holds(omp_get_num_threads() == 3)
		{
#pragma omp for schedule(dynamic)
			for (int i = 0; i < 12; i++)
				total += half(twice(i));
		}
#pragma omp barrier
	}
	printf("%d\n", total);
	return 0;
}
