/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel: every member of the team executes the region once, numbered 0 .. size - 1, and all see
 * the same size; what the region wrote is visible after it. OpenMP 5.1, 2.6.
 */
#include <omp.h>

#include "check.h"

#define MANY 4096

static int executed[MANY];
static int plain[MANY]; /* written without atomics: the region's end makes it visible */

static void check_team(int expected)
{
	int sizes_seen = 0;
	int entered = 0;

	memset(executed, 0, sizeof(executed));
	memset(plain, 0, sizeof(plain));
#pragma omp parallel shared(entered, sizes_seen)
	{
		int number = omp_get_thread_num();

		count(&entered);
		if (omp_get_num_threads() == expected)
			count(&sizes_seen);
		if (CHECK(number >= 0 && number < expected)) {
			count(&executed[number]);
			plain[number] = number + 1;
		}
	}
	CHECK_EQUAL(entered, expected);
	CHECK_EQUAL(sizes_seen, expected);
	CHECK_ALL(executed, expected, 1);
	for (int i = 0; i < expected; i++)
		CHECK_EQUAL(plain[i], i + 1);
}

int main(void)
{
	int threads = omp_get_max_threads();

	CHECK_EQUAL(omp_get_num_threads(), 1);
	CHECK_EQUAL(omp_get_thread_num(), 0);
	omp_set_dynamic(0);
	for (int i = 0; i < 20; i++)
		check_team(threads);
	/* A team that shrinks and grows again must neither keep nor lose members. */
	for (int size = 1; size <= threads + 3; size++) {
		omp_set_num_threads(size);
		check_team(size);
		omp_set_num_threads(threads);
		check_team(threads);
	}
	return check_result();
}
