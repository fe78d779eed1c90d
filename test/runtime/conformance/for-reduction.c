/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduction on worksharing loops in each schedule, also with nowait and with several loops in one
 * region; the result is there after the next barrier. OpenMP 5.1, 2.21.5.4.
 */
#include <omp.h>

#include "check.h"

#define LENGTH   1000
#define TRIANGLE (LENGTH * (LENGTH - 1) / 2)

static void loops_in_one_region(void)
{
	long by_static = 1;
	long by_dynamic = 2;
	long by_guided = 3;
	int top = -1;
	double harmonic = 0;

#pragma omp parallel
	{
#pragma omp for schedule(static, 5) reduction(+ : by_static)
		for (int i = 0; i < LENGTH; i++)
			by_static += i;
		CHECK_EQUAL(by_static, 1 + TRIANGLE);
#pragma omp for schedule(dynamic, 5) reduction(+ : by_dynamic) nowait
		for (int i = 0; i < LENGTH; i++)
			by_dynamic += i;
#pragma omp for schedule(guided, 5) reduction(+ : by_guided) reduction(max : top) nowait
		for (int i = 0; i < LENGTH; i++) {
			by_guided += i;
			top = i > top ? i : top;
		}
#pragma omp barrier
		CHECK_EQUAL(by_dynamic, 2 + TRIANGLE);
		CHECK_EQUAL(by_guided, 3 + TRIANGLE);
		CHECK_EQUAL(top, LENGTH - 1);
#pragma omp for schedule(runtime) reduction(+ : harmonic)
		for (int i = 0; i < LENGTH; i++)
			harmonic += 0.5;
		CHECK(harmonic == LENGTH / 2.0);
	}
}

static void wide(void)
{
	unsigned long long base = ~0ULL - LENGTH;
	unsigned long long sum = 0;

#pragma omp parallel for schedule(dynamic, 7) reduction(+ : sum)
	for (unsigned long long i = base; i < base + LENGTH; i++)
		sum += i - base;
	CHECK_EQUAL(sum, TRIANGLE);
}

static void logical(int odd_one)
{
	int all = 1;
	int any = 0;
	unsigned parity = 0;

#pragma omp parallel for reduction(&& : all) reduction(|| : any) reduction(^ : parity)
	for (int i = 0; i < LENGTH; i++) {
		all = all && i != odd_one;
		any = any || i == odd_one;
		parity ^= (unsigned)i;
	}
	CHECK_EQUAL(all, odd_one < 0);
	CHECK_EQUAL(any, odd_one >= 0);
	CHECK_EQUAL(parity, 0);
}

int main(void)
{
	omp_set_schedule(omp_sched_guided, 3);
	for (int i = 0; i < 30; i++) {
		loops_in_one_region();
		wide();
		logical(-1);
		logical(i * 30);
	}
	return check_result();
}
