/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allocate clauses: private copies come from the named allocator, with its alignment, are distinct
 * for each thread or task, and hold their values like any private variable. OpenMP 5.1, 2.13.4.
 */
#include <omp.h>
#include <stdint.h>

#include "check.h"

static omp_allocator_handle_t aligned_allocator(void)
{
	omp_alloctrait_t traits[] = {{omp_atk_alignment, 128}};

	return omp_init_allocator(omp_default_mem_space, 1, traits);
}

static void on_parallel(omp_allocator_handle_t aligned)
{
	int first = 5;
	double table[30];
	long sum = 0;

	for (int i = 0; i < 30; i++)
		table[i] = i;
#pragma omp parallel allocate(aligned : first, table) firstprivate(first, table)                 \
    allocate(omp_default_mem_alloc : sum) reduction(+ : sum)
	{
		CHECK_EQUAL((uintptr_t)table % 128, 0);
		CHECK_EQUAL(first, 5);
		for (int i = 0; i < 30; i++) {
			CHECK(table[i] == i);
			table[i] = omp_get_thread_num();
		}
		first = omp_get_thread_num();
		sum += 1;
#pragma omp barrier
		CHECK_EQUAL(first, omp_get_thread_num());
		CHECK(table[29] == omp_get_thread_num());
	}
	CHECK_EQUAL(sum, omp_get_max_threads());
}

static void on_tasks(omp_allocator_handle_t aligned)
{
	int done = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 50; i++) {
		int copy[100] = {i};

#pragma omp task firstprivate(copy) allocate(aligned : copy)
		{
			CHECK_EQUAL(copy[0], i);
			copy[0] = -1;
			count(&done);
		}
	}
	CHECK_EQUAL(done, 50);
}

static void on_loops(omp_allocator_handle_t aligned)
{
	int last = 0;
	int wrong = 0;

#pragma omp parallel
#pragma omp for lastprivate(last) allocate(aligned : last) schedule(dynamic)
	for (int i = 0; i < 77; i++) {
		if ((uintptr_t)&last % 128)
			count(&wrong);
		last = i;
	}
	CHECK_EQUAL(last, 76);
	CHECK_EQUAL(wrong, 0);
}

int main(void)
{
	omp_allocator_handle_t aligned = aligned_allocator();

	CHECK(aligned != omp_null_allocator);
	omp_set_dynamic(0);
	for (int i = 0; i < 10; i++) {
		on_parallel(aligned);
		on_tasks(aligned);
		on_loops(aligned);
	}
	omp_destroy_allocator(aligned);
	return check_result();
}
