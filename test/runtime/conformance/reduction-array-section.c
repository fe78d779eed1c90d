/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduction over arrays and array sections: the named elements are reduced, those outside keep
 * their value; automatic and heap storage, two dimensions, constant and run-time lengths.
 * OpenMP 5.1, 2.21.5.
 */
#include <omp.h>

#include "check.h"

#define ITERATIONS 640

static void whole_array(void)
{
	int buckets[10] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 5};

#pragma omp parallel for reduction(+ : buckets)
	for (int i = 0; i < ITERATIONS; i++)
		buckets[i % 10]++;
	CHECK_ALL(buckets, 10, 5 + ITERATIONS / 10);
}

static void heap_section(int start, int length)
{
	int *values = malloc(sizeof(*values) * 100);

	for (int i = 0; i < 100; i++)
		values[i] = -1;
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : values [start:length])
	for (int i = 0; i < ITERATIONS; i++)
		values[start + i % length] += 2;
	for (int i = 0; i < 100; i++) {
		int inside = i >= start && i < start + length;
		int offset = i - start;
		int hits = inside ? ITERATIONS / length + (offset < ITERATIONS % length) : 0;

		CHECK_EQUAL(values[i], -1 + 2 * hits);
	}
	free(values);
}

static void two_dimensions(void)
{
	static long grid[6][8];

	memset(grid, 0, sizeof(grid));
#pragma omp parallel reduction(+ : grid [1:4][:8])
#pragma omp for collapse(2)
	for (int row = 1; row < 5; row++)
		for (int column = 0; column < 8; column++)
			for (int twice = 0; twice < 2; twice++)
				grid[row][column] += row * 10 + column;
	for (int row = 0; row < 6; row++)
		for (int column = 0; column < 8; column++)
			CHECK_EQUAL(
			    grid[row][column], row >= 1 && row < 5 ? 2 * (row * 10 + column) : 0);
}

int main(void)
{
	for (int i = 0; i < 10; i++) {
		whole_array();
		heap_section(0, 100);
		heap_section(40, 7);
		heap_section(99, 1);
		two_dimensions();
	}
	return check_result();
}
