/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Device constructs on the host (OpenMP 5.1, 2.14): regions run in an initial task of their own,
 * firstprivate variables are copies, dependences and nowait order them as tasks, and the device
 * routines treat the host as the only device.
 */
#include <errno.h>
#include <omp.h>
#include <stddef.h>

#include "check.h"

struct __attribute__((aligned(64))) aligned_values {
	double values[12];
};

static void test_region(void)
{
	struct aligned_values values = {{1, 2, 3}};
	int array[10], sum = 0, number = 7;
	short small = 3;

	for (int i = 0; i < 10; i++)
		array[i] = i;
#pragma omp target map(to : array) map(tofrom : sum) firstprivate(values, number, small)
	{
		for (int i = 0; i < 10; i++)
			sum += array[i];
		sum += number + small + (int)values.values[2];
		CHECK((size_t)&values % 64 == 0);
		values.values[2] = -1;
		number = small = -1;
		CHECK(omp_is_initial_device());
		CHECK(omp_get_level() == 0 && omp_get_num_threads() == 1 && !omp_in_parallel());
	}
	CHECK_EQUAL(sum, 45 + 7 + 3 + 3);
	CHECK(values.values[2] == 3 && number == 7 && small == 3);
}

/* The region is no part of the parallel region around it, and its ICVs are its own. */
static void test_context(void)
{
	int threads[4] = {0};

	omp_set_num_threads(4);
#pragma omp parallel num_threads(4)
	{
		int outer = omp_get_thread_num();
		omp_set_num_threads(3 + outer);
#pragma omp target map(tofrom : threads)
		{
			CHECK(omp_get_thread_num() == 0 && omp_get_num_threads() == 1);
			CHECK(omp_get_level() == 0 && omp_get_active_level() == 0);
			omp_set_num_threads(2);
			int inner = 0;
#pragma omp parallel num_threads(3) reduction(+ : inner)
			inner += omp_get_level() == 1;
			threads[outer] = inner;
		}
		CHECK_EQUAL(omp_get_max_threads(), 3 + outer);
		CHECK_EQUAL(omp_get_thread_num(), outer);
		CHECK_EQUAL(omp_get_level(), 1);
#pragma omp barrier
	}
	CHECK_ALL(threads, 4, 3);
}

static void test_data(void)
{
	int array[100];
	int *pointer = array;

	for (int i = 0; i < 100; i++)
		array[i] = i;
#pragma omp target data map(tofrom : array) use_device_ptr(pointer)
	{
#pragma omp target map(alloc : array)
		for (int i = 0; i < 100; i++)
			array[i]++;
#pragma omp target update from(array)
		CHECK_EQUAL(pointer[99], 100);
	}
#pragma omp target enter data map(to : array)
#pragma omp target
	array[5] = -5;
#pragma omp target exit data map(from : array)
	CHECK_EQUAL(array[5], -5);
}

static void test_order(void)
{
	int value = 0, late = 0;

#pragma omp parallel num_threads(3)
#pragma omp single
	for (int i = 0; i < 50; i++) {
		int seen = i;
#pragma omp task depend(inout : value) shared(value)
		value += 1;
#pragma omp target nowait depend(inout : value) firstprivate(seen) map(tofrom : value)
		value = value == 3 * seen + 1 ? value + 1 : -1000000;
#pragma omp target depend(inout : value) map(tofrom : value)
		value += 1;
#pragma omp target enter data map(to : value) depend(inout : value)
#pragma omp target update to(value) nowait depend(inout : value)
	}
	CHECK_EQUAL(value, 150);

	/* Without a dependence a taskwait is what a nowait region is complete after. */
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp target nowait map(tofrom : late)
		late = 1;
#pragma omp taskwait
		CHECK_EQUAL(late, 1);
	}
}

static void test_teams(void)
{
	int count = 0, limit = 0;

#pragma omp target teams distribute parallel for num_teams(3) thread_limit(2) reduction(+ : count)
	for (int i = 0; i < 1000; i++)
		count++;
	CHECK_EQUAL(count, 1000);
#pragma omp target thread_limit(3) map(tofrom : limit)
	{
		limit = omp_get_thread_limit();
	}
	CHECK_EQUAL(limit, 3);
}

static void test_reduction(void)
{
	int sum = 0;

#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
	for (int i = 0; i < 40; i++) {
#pragma omp target in_reduction(+ : sum) firstprivate(i)
		sum += i;
	}
	CHECK_EQUAL(sum, 780);
}

static void test_routines(void)
{
	int host = omp_get_initial_device(), other = host + 1;
	char from[12] = "abcdefghijk", to[12] = "...........";
	size_t volume[] = {2, 3}, to_offsets[] = {1, 0}, from_offsets[] = {0, 1};
	size_t to_shape[] = {3, 3}, from_shape[] = {2, 4};

	CHECK(omp_get_num_devices() == host && omp_get_device_num() == host);
	void *memory = omp_target_alloc(100, host);
	CHECK(memory != NULL && omp_target_is_present(memory, host));
	CHECK(!omp_target_is_present(memory, other) && omp_target_alloc(100, other) == NULL);
	CHECK(!omp_target_is_present(NULL, host) && !omp_target_is_present(NULL, other));
	omp_target_free(memory, host);
	omp_target_free(NULL, other);
	CHECK_EQUAL(omp_target_memcpy(to, from, 3, 2, 4, host, host), 0);
	CHECK(strcmp(to, "..efg......") == 0);
	CHECK_EQUAL(omp_target_memcpy(to, from, 3, 2, 4, host, other), EINVAL);
	CHECK_EQUAL(omp_target_memcpy_rect(to, from, 1, 2, volume, to_offsets, from_offsets,
			to_shape, from_shape, host, host),
	    0);
	CHECK(strcmp(to, "..ebcdfgh..") == 0);
	CHECK(omp_target_memcpy_rect(NULL, NULL, 1, 2, volume, to_offsets, from_offsets, to_shape,
		  from_shape, host, host) >= 3);
	CHECK(omp_target_memcpy_rect(to, from, 1, 2, volume, to_offsets, from_offsets, to_shape,
		  from_shape, other, host) != 0);
	CHECK(omp_target_associate_ptr(from, to, 12, 0, host) != 0);
	CHECK(omp_target_disassociate_ptr(from, host) != 0);
}

int main(void)
{
	test_region();
	test_context();
	test_data();
	test_order();
	test_teams();
	test_reduction();
	test_routines();
	return check_result();
}
