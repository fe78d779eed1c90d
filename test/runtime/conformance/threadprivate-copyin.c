/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threadprivate data live as long as their thread: they keep their values from one region to the
 * next of the same size, the master's copy is the program's, copyin broadcasts it, and copyprivate
 * takes it from a single. OpenMP 5.1, 2.21.2 and 2.21.6.1.
 */
#include <omp.h>

#include "check.h"

static int number_kept = -5;
static double table[64] = {1.5};
static int *pointer;
#pragma omp threadprivate(number_kept, table, pointer)

static void values_persist(void)
{
	int masters = 0;

	number_kept = -5;
#pragma omp parallel
	{
		number_kept = 100 + omp_get_thread_num();
		pointer = &number_kept;
	}
	masters = number_kept;
	CHECK_EQUAL(masters, 100);
#pragma omp parallel
	{
		CHECK_EQUAL(number_kept, 100 + omp_get_thread_num());
		CHECK(pointer == &number_kept);
	}
}

static void copyin_broadcasts(int value)
{
	number_kept = value;
	for (int i = 0; i < 64; i++)
		table[i] = value + i;
#pragma omp parallel copyin(number_kept, table)
	{
		CHECK_EQUAL(number_kept, value);
		for (int i = 0; i < 64; i++)
			CHECK(table[i] == value + i);
		number_kept += omp_get_thread_num();
#pragma omp barrier
		CHECK_EQUAL(number_kept, value + omp_get_thread_num());
	}
}

static void copyprivate_broadcasts(void)
{
#pragma omp parallel
	{
		number_kept = omp_get_thread_num();
#pragma omp single copyprivate(number_kept)
		number_kept = 77;
		CHECK_EQUAL(number_kept, 77);
	}
}

int main(void)
{
	omp_set_dynamic(0);
	for (int i = 0; i < 10; i++) {
		values_persist();
		copyin_broadcasts(1000 + i);
		copyprivate_broadcasts();
	}
	return check_result();
}
