/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collapse: the loops become one iteration space, whose logical order is that of the sequential
 * nest and which the schedule's chunks cut; rectangular, empty inner loops, mixed types,
 * triangular. OpenMP 5.1, 2.11.4 and 2.11.3.
 */
#include "loop-shapes.h"

#define ROWS    9
#define COLUMNS 7
#define LAYERS  5
#define ALL     (ROWS * COLUMNS * LAYERS)

static int owner[ALL];

static void chunks_cut_the_whole_space(void)
{
	disown(owner, ALL);
#pragma omp parallel for collapse(3) schedule(static, 4)
	for (int i = 0; i < ROWS; i++)
		for (long j = COLUMNS; j > 0; j--)
			for (unsigned char k = 0; k < LAYERS; k++)
				own(owner, (i * COLUMNS + COLUMNS - j) * LAYERS + k);
	check_static_chunks(owner, ALL, 4, omp_get_max_threads());

	disown(owner, ALL);
#pragma omp parallel for collapse(3) schedule(dynamic, 11)
	for (unsigned long long i = 3; i < 3 + ROWS; i++)
		for (int j = 0; j < COLUMNS; j++)
			for (short k = 2 * LAYERS; k > 0; k -= 2)
				own(owner,
				    (long long)((i - 3) * COLUMNS + j) * LAYERS + LAYERS - k / 2);
	check_dynamic_chunks(owner, ALL, 11, omp_get_max_threads());
}

static void outer_only(void)
{
	disown(owner, ROWS);
#pragma omp parallel for schedule(dynamic, 2)
	for (int i = 0; i < ROWS; i++) {
		own(owner, i);
		for (int j = 0; j < COLUMNS; j++)
			CHECK(i < ROWS);
	}
	check_dynamic_chunks(owner, ROWS, 2, omp_get_max_threads());
}

static void empty_inner(int length)
{
	int times = 0;

#pragma omp parallel for collapse(2)
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < length; j++)
			count(&times);
	CHECK_EQUAL(times, length > 0 ? ROWS * length : 0);
}

static void triangle(void)
{
	int times[ROWS][ROWS + 1] = {{0}};

#pragma omp parallel for collapse(2)
	for (int i = 0; i < ROWS; i++)
		for (int j = i; j < ROWS + 1; j++)
			count(&times[i][j]);
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < ROWS + 1; j++)
			CHECK_EQUAL(times[i][j], j >= i);

	memset(times, 0, sizeof(times));
#pragma omp parallel for collapse(2)
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < i + 1; j++)
			count(&times[i][j]);
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < ROWS + 1; j++)
			CHECK_EQUAL(times[i][j], j <= i);
}

static void last_values(void)
{
	int i;
	int j;

#pragma omp parallel for collapse(2) lastprivate(i, j)
	for (i = 0; i < 5; i++)
		for (j = 10; j > 2; j -= 3)
			dawdle(10);
	CHECK_EQUAL(i, 5);
	CHECK_EQUAL(j, 1);
}

int main(void)
{
	omp_set_dynamic(0);
	for (int i = 0; i < 10; i++) {
		chunks_cut_the_whole_space();
		outer_only();
		empty_inner(0);
		empty_inner(-3);
		empty_inner(1);
		empty_inner(6);
		triangle();
		last_values();
	}
	return check_result();
}
