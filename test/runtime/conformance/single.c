/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * single: one thread of the team runs the block, the others wait at its end unless nowait says
 * otherwise, and copyprivate hands its values to all before any thread continues.
 * OpenMP 5.1, 2.10.2.
 */
#include <omp.h>

#include "check.h"

static void one_thread_and_a_barrier(void)
{
	int times = 0;
	int written = 0;

#pragma omp parallel
	for (int i = 1; i <= 50; i++) {
#pragma omp single
		{
			count(&times);
			written = i;
		}
		CHECK_EQUAL(written, i);
#pragma omp barrier
	}
	CHECK_EQUAL(times, 50);
}

static void nowait_goes_on(int threads)
{
	int passed = 0;
	int times = 0;

#pragma omp parallel
	{
#pragma omp single nowait
		{
			count(&times);
			CHECK(await_flag(&passed, threads - 1));
		}
		raise_flag(&passed);
	}
	CHECK_EQUAL(times, 1);
}

struct parcel {
	double weights[40];
	const char *label;
};

static void copyprivate_reaches_all(int round)
{
	int received = 0;

#pragma omp parallel
	{
		int value = -1;
		struct parcel parcel = {.label = "mine"};
		char *buffer = NULL;

#pragma omp single copyprivate(value, parcel, buffer)
		{
			value = round;
			for (int i = 0; i < 40; i++)
				parcel.weights[i] = round + i;
			parcel.label = "sent";
			buffer = malloc(8);
			strcpy(buffer, "shared");
		}
		CHECK_EQUAL(value, round);
		for (int i = 0; i < 40; i++)
			CHECK(parcel.weights[i] == round + i);
		CHECK(strcmp(parcel.label, "sent") == 0);
		CHECK(strcmp(buffer, "shared") == 0);
		value += omp_get_thread_num();
		count(&received);
#pragma omp barrier
		CHECK_EQUAL(value, round + omp_get_thread_num());
#pragma omp master
		free(buffer);
	}
	CHECK_EQUAL(received, omp_get_max_threads());
}

/* Broadcasts right after each other must not mix: a slow reader still gets the earlier one. */
static void broadcasts_do_not_mix(void)
{
#pragma omp parallel
	for (int i = 0; i < 50; i++) {
		int first = -1;
		int second = -1;

#pragma omp single copyprivate(first)
		first = 2 * i;
#pragma omp single copyprivate(second)
		second = 2 * i + 1;
		CHECK_EQUAL(first, 2 * i);
		CHECK_EQUAL(second, 2 * i + 1);
	}
}

static void data_clauses(void)
{
	int value = 9;
	int result = 0;

#pragma omp parallel
#pragma omp single firstprivate(value)
	{
		CHECK_EQUAL(value, 9);
		value++;
		result = value;
	}
	CHECK_EQUAL(value, 9);
	CHECK_EQUAL(result, 10);
}

int main(void)
{
	omp_set_dynamic(0);
	one_thread_and_a_barrier();
	for (int i = 0; i < 20; i++) {
		nowait_goes_on(omp_get_max_threads());
		copyprivate_reaches_all(i);
		data_clauses();
	}
	broadcasts_do_not_mix();
	return check_result();
}
