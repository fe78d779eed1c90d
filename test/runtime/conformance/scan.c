/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scan: inscan reductions give each iteration the prefix of the sequential loop, with (inclusive)
 * or without (exclusive) the iteration's own part. OpenMP 5.1, 2.11.8.
 */
#include <omp.h>

#include "check.h"

#define LENGTH 300

static int input[LENGTH];
static long prefix[LENGTH];

static void inclusive_sum(void)
{
	long sum = 10;

#pragma omp parallel for reduction(inscan, + : sum)
	for (int i = 0; i < LENGTH; i++) {
		sum += input[i];
#pragma omp scan inclusive(sum)
		prefix[i] = sum;
	}
	for (long i = 0, expected = 10; i < LENGTH; i++) {
		expected += input[i];
		CHECK_EQUAL(prefix[i], expected);
	}
	CHECK_EQUAL(sum, prefix[LENGTH - 1]);
}

static void exclusive_sum(void)
{
	long sum = -3;
	long expected = -3;

#pragma omp parallel for reduction(inscan, + : sum)
	for (int i = 0; i < LENGTH; i++) {
		prefix[i] = sum;
#pragma omp scan exclusive(sum)
		sum += input[i];
	}
	for (int i = 0; i < LENGTH; i++) {
		CHECK_EQUAL(prefix[i], expected);
		expected += input[i];
	}
	CHECK_EQUAL(sum, expected);
}

static void inclusive_maximum_in_region(void)
{
	int top = -1;

#pragma omp parallel
#pragma omp for reduction(inscan, max : top)
	for (int i = 0; i < LENGTH; i++) {
		top = input[i] > top ? input[i] : top;
#pragma omp scan inclusive(top)
		prefix[i] = top;
	}
	for (int i = 0, expected = -1; i < LENGTH; i++) {
		expected = input[i] > expected ? input[i] : expected;
		CHECK_EQUAL(prefix[i], expected);
	}
	CHECK_EQUAL(top, prefix[LENGTH - 1]);
}

static void short_loops(int length)
{
	int sum = 0;

#pragma omp parallel for reduction(inscan, + : sum)
	for (int i = 0; i < length; i++) {
		sum += i + 1;
#pragma omp scan inclusive(sum)
		prefix[i] = sum;
	}
	for (int i = 0; i < length; i++)
		CHECK_EQUAL(prefix[i], (i + 1) * (i + 2) / 2);
	CHECK_EQUAL(sum, length * (length + 1) / 2);
}

int main(void)
{
	for (int i = 0; i < LENGTH; i++)
		input[i] = i * 7919 % 101;
	for (int i = 0; i < 10; i++) {
		inclusive_sum();
		exclusive_sum();
		inclusive_maximum_in_region();
		for (int length = 0; length < 5; length++)
			short_loops(length);
	}
	return check_result();
}
