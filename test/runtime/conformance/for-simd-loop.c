/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * for simd, loop and simd: the same iterations as the sequential loop, once each, with reductions
 * and lastprivate, however they are cut into vectors. OpenMP 5.1, 2.11.5 and 2.11.7.
 */
#include <omp.h>

#include "check.h"

#define LENGTH 517

static int times[LENGTH];
static float left[LENGTH];
static float right[LENGTH];

static void for_simd(void)
{
	float dot = 0;
	int last = -1;

#pragma omp parallel for simd schedule(simd : dynamic, 5) reduction(+ : dot) lastprivate(last)
	for (int i = 0; i < LENGTH; i++) {
		times[i]++;
		dot += left[i] * right[i];
		last = i;
	}
	CHECK_ALL(times, LENGTH, 1);
	CHECK(dot == LENGTH);
	CHECK_EQUAL(last, LENGTH - 1);
	memset(times, 0, sizeof(times));
}

static void loop_construct(void)
{
	long sum = 0;

#pragma omp parallel
	{
#pragma omp loop bind(parallel) reduction(+ : sum)
		for (int i = 0; i < LENGTH; i++) {
			times[i]++;
			sum += i;
		}
	}
	CHECK_ALL(times, LENGTH, 1);
	CHECK_EQUAL(sum, LENGTH * (LENGTH - 1) / 2);
	memset(times, 0, sizeof(times));
#pragma omp parallel loop collapse(2)
	for (int i = 0; i < 11; i++)
		for (int j = 0; j < 47; j++)
			times[i * 47 + j]++;
	CHECK_ALL(times, LENGTH, 1);
	memset(times, 0, sizeof(times));
}

static void simd_alone(void)
{
	int sum = 0;

#pragma omp simd safelen(8) reduction(+ : sum) aligned(left : 16)
	for (int i = 0; i < LENGTH; i++)
		sum += (int)left[i];
	CHECK_EQUAL(sum, 2 * LENGTH);
}

int main(void)
{
	for (int i = 0; i < LENGTH; i++) {
		left[i] = 2;
		right[i] = 0.5f;
	}
	for (int i = 0; i < 20; i++) {
		for_simd();
		loop_construct();
		simd_alone();
	}
	return check_result();
}
