/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target without a device runs on the host: in an initial task of its own, on the original storage,
 * with firstprivate copies, dependences and nowait; data, update and enter/exit constructs are
 * accepted. OpenMP 5.1, 2.14 and 3.7.
 */
#include <omp.h>

#include "check.h"

#define LENGTH 64

static int values[LENGTH];

static void runs_on_the_host(void)
{
	int mapped = 1;
	int copied = 10;
	int initial = -1;

	CHECK_EQUAL(omp_get_num_devices(), 0);
	CHECK_EQUAL(omp_is_initial_device(), 1);
	CHECK_EQUAL(omp_get_initial_device(), 0);
#pragma omp target map(tofrom : mapped, initial) firstprivate(copied)
	{
		initial = omp_is_initial_device();
		CHECK_EQUAL(omp_get_level(), 0);
		CHECK_EQUAL(omp_get_num_teams(), 1);
		CHECK_EQUAL(omp_get_thread_num(), 0);
		mapped += copied;
		copied = 99;
	}
	CHECK_EQUAL(initial, 1);
	CHECK_EQUAL(mapped, 11);
	CHECK_EQUAL(copied, 10);
}

static void data_constructs(void)
{
	for (int i = 0; i < LENGTH; i++)
		values[i] = i;
#pragma omp target enter data map(to : values)
#pragma omp target data map(tofrom : values [0:LENGTH])
	{
#pragma omp target
		for (int i = 0; i < LENGTH; i++)
			values[i] *= 2;
#pragma omp target update from(values)
		CHECK_EQUAL(values[5], 10);
		values[5] = 7;
#pragma omp target update to(values [5:1])
#pragma omp target map(alloc : values)
		values[5]++;
	}
#pragma omp target exit data map(from : values)
	for (int i = 0; i < LENGTH; i++)
		CHECK_EQUAL(values[i], i == 5 ? 8 : 2 * i);
}

static void combined(void)
{
	long sum = 0;
	int times[LENGTH] = {0};

#pragma omp target teams distribute parallel for map(tofrom : sum, times) reduction(+ : sum)
	for (int i = 0; i < LENGTH; i++) {
		times[i]++;
		sum += i;
	}
	CHECK_EQUAL(sum, LENGTH * (LENGTH - 1) / 2);
	CHECK_ALL(times, LENGTH, 1);
	sum = 0;
#pragma omp target parallel for map(tofrom : sum) reduction(+ : sum) num_threads(3)
	for (int i = 0; i < LENGTH; i++)
		sum += i;
	CHECK_EQUAL(sum, LENGTH * (LENGTH - 1) / 2);
#pragma omp target teams num_teams(3) thread_limit(2) map(tofrom : sum) reduction(+ : sum)
	sum += 1000;
	CHECK(sum >= LENGTH * (LENGTH - 1) / 2 + 1000);
}

static void dependences(void)
{
	int value = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(out : value) shared(value)
		{
			dawdle(500);
			value = 1;
		}
#pragma omp target nowait depend(inout : value) map(tofrom : value)
		value = value * 10 + 2;
#pragma omp target update nowait to(value) depend(inout : value)
#pragma omp target enter data nowait map(to : value) depend(inout : value)
#pragma omp task depend(inout : value) shared(value)
		value = value * 10 + 3;
#pragma omp target depend(inout : value) map(tofrom : value)
		value = value * 10 + 4;
#pragma omp taskwait
		CHECK_EQUAL(value, 1234);
#pragma omp target exit data nowait map(from : value) depend(inout : value)
	}
	CHECK_EQUAL(value, 1234);
}

static void nowait_ends_at_taskwait(void)
{
	int first = 0;
	int second = 0;

#pragma omp target nowait map(tofrom : first)
	first = 1;
#pragma omp target nowait map(tofrom : second)
	second = 2;
#pragma omp taskwait
	CHECK_EQUAL(first, 1);
	CHECK_EQUAL(second, 2);
}

static void reductions_of_tasks(void)
{
	long sum = 1;

#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup task_reduction(+ : sum)
		for (int i = 0; i < 10; i++) {
#pragma omp target in_reduction(+ : sum)
			sum += i;
		}
		CHECK_EQUAL(sum, 46);
	}
}

static void device_pointers(void)
{
	int *data = omp_target_alloc(sizeof(int) * LENGTH, omp_get_initial_device());

	if (!CHECK(data != NULL))
		return;
	for (int i = 0; i < LENGTH; i++)
		values[i] = 3 * i;
	CHECK_EQUAL(omp_target_memcpy(data, values, sizeof(int) * (LENGTH - 4), sizeof(int) * 4, 0,
			omp_get_initial_device(), omp_get_initial_device()),
	    0);
	CHECK_EQUAL(data[4], 0);
	CHECK_EQUAL(data[LENGTH - 1], 3 * (LENGTH - 5));
#pragma omp target is_device_ptr(data)
	data[0] = 17;
	CHECK_EQUAL(data[0], 17);
	omp_target_free(data, omp_get_initial_device());
}

int main(void)
{
	for (int i = 0; i < 10; i++) {
		runs_on_the_host();
		data_constructs();
		combined();
		dependences();
		nowait_ends_at_taskwait();
		reductions_of_tasks();
		device_pointers();
	}
	return check_result();
}
