/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ordered(n) with depend(source) and depend(sink): an iteration continues only after the iterations
 * that it names as sinks have posted, and sees what they wrote. OpenMP 5.1, 2.19.11.
 */
#include <omp.h>

#include "check.h"

#define LENGTH   48
#define DISTANCE 2 /* between an iteration and the one it waits for */
#define ROWS     8
#define COLUMNS  9

static long line[LENGTH + 2];
static int grid[ROWS][COLUMNS];

static void check_line(void)
{
	for (int i = 0; i < LENGTH; i++) {
		CHECK_EQUAL(line[i], i / DISTANCE + 1);
		line[i] = 0;
	}
}

static void one_dimension(int chunk)
{
#pragma omp parallel for ordered(1) schedule(static)
	for (int i = 0; i < LENGTH; i++) {
#pragma omp ordered depend(sink : i - DISTANCE)
		line[i] = i < DISTANCE ? 1 : line[i - DISTANCE] + 1;
#pragma omp ordered depend(source)
	}
	check_line();
#pragma omp parallel for ordered(1) schedule(dynamic, chunk)
	for (int i = 0; i < LENGTH; i++) {
#pragma omp ordered depend(sink : i - DISTANCE)
		line[i] = i < DISTANCE ? 1 : line[i - DISTANCE] + 1;
#pragma omp ordered depend(source)
	}
	check_line();
#pragma omp parallel for ordered(1) schedule(guided, chunk)
	for (int i = 0; i < LENGTH; i++) {
#pragma omp ordered depend(sink : i - DISTANCE)
		line[i] = i < DISTANCE ? 1 : line[i - DISTANCE] + 1;
#pragma omp ordered depend(source)
	}
	check_line();
}

static void runtime_schedule(omp_sched_t kind)
{
	omp_set_schedule(kind, 2);
#pragma omp parallel for ordered(1) schedule(runtime)
	for (int i = LENGTH - 1; i >= 0; i--) {
		int at = LENGTH - 1 - i;
#pragma omp ordered depend(sink : i + DISTANCE)
		line[at] = at < DISTANCE ? 1 : line[at - DISTANCE] + 1;
#pragma omp ordered depend(source)
	}
	check_line();
}

static void wide(void)
{
	unsigned long long base = 1ULL << 63;

#pragma omp parallel for ordered(1) schedule(dynamic)
	for (unsigned long long i = base; i < base + LENGTH; i++) {
		int at = (int)(i - base);
#pragma omp ordered depend(sink : i - DISTANCE)
		line[at] = at < DISTANCE ? 1 : line[at - DISTANCE] + 1;
#pragma omp ordered depend(source)
	}
	check_line();
}

/* A wavefront: each cell is the number of paths to it, which needs both neighbours complete. */
static void two_dimensions(void)
{
	memset(grid, 0, sizeof(grid));
#pragma omp parallel for ordered(2) schedule(dynamic)
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
			grid[i][j] = i == 0 || j == 0 ? 1 : grid[i - 1][j] + grid[i][j - 1];
#pragma omp ordered depend(source)
		}
	CHECK_EQUAL(grid[ROWS - 1][COLUMNS - 1], 6435);
}

static void collapsed(void)
{
	memset(grid, 0, sizeof(grid));
#pragma omp parallel for collapse(2) ordered(2) schedule(static, 1)
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
			grid[i][j] = i == 0 || j == 0 ? 1 : grid[i - 1][j] + grid[i][j - 1];
#pragma omp ordered depend(source)
		}
	CHECK_EQUAL(grid[ROWS - 1][COLUMNS - 1], 6435);
}

int main(void)
{
	omp_set_dynamic(0);
	one_dimension(1);
	one_dimension(5);
	runtime_schedule(omp_sched_static);
	runtime_schedule(omp_sched_dynamic);
	runtime_schedule(omp_sched_guided);
	wide();
	two_dimensions();
	collapsed();
	return check_result();
}
