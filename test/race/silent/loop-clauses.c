/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: clauses that give iterations an order or a last one, with any division of them.
 * ordered, doacross, lastprivate, linear, reductions, collapse, lanes, cancel, and loops that count
 * down, by steps and beyond the signed range.
 */
#include <limits.h>

enum { N = 500, ROWS = 12, COLS = 17 };

static int list[N], length, chain[N], packed[2 * N], grid[ROWS][COLS], marks[N];

static int check_order(void)
{
	int wrong = 0;

	length = 0;
#pragma omp parallel for ordered
	for (int i = 0; i < N; i++)
#pragma omp ordered
		list[length++] = i;
#pragma omp parallel for ordered(1)
	for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
		chain[i] = chain[i - 1] + 1;
#pragma omp ordered depend(source)
	}
	for (int i = 0; i < N; i++)
		wrong += list[i] != i || chain[i] != i;
	return wrong;
}

static int check_last(void)
{
	int last = -1, to = 0, where = -1, wrong = 0;

#pragma omp parallel for lastprivate(last) linear(to : 2)
	for (int i = 0; i < N; i++) {
		packed[to] = last = i;
		to += 2;
	}
#pragma omp parallel for lastprivate(conditional : where)
	for (int i = 0; i < N; i++)
		if (i % 100 == 42)
			where = i;
	for (int i = 0; i < N; i++)
		wrong += packed[2 * i] != i;
	return wrong + (last != N - 1) + (to != 2 * N) + (where != N - 58);
}

static int check_sums(void)
{
	int sum = 0, most = INT_MIN, lanes = 0, running = 0, wrong = 0;

#pragma omp parallel for collapse(2) reduction(+ : sum) reduction(max : most)
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLS; j++) {
			grid[i][j] = i * j;
			sum += 1;
			most = most > i * j ? most : i * j;
		}
#pragma omp parallel for simd reduction(+ : lanes)
	for (int i = 0; i < N; i++)
		lanes += i;
#pragma omp parallel for reduction(inscan, + : running)
	for (int i = 0; i < N; i++) {
		running += i;
#pragma omp scan inclusive(running)
		list[i] = running;
	}
	for (int i = 0; i < N; i++)
		wrong += list[i] != i * (i + 1) / 2;
	return wrong + (sum != ROWS * COLS) + (most != (ROWS - 1) * (COLS - 1)) +
	       (lanes != N * (N - 1) / 2);
}

static int check_bounds(void)
{
	int wrong = 0, found = 0;

#pragma omp parallel for
	for (int i = N - 1; i >= 0; i -= 3)
		marks[i]++;
#pragma omp parallel for
	for (unsigned long long i = ULLONG_MAX - 3 * N; i < ULLONG_MAX - 2 * N; i++)
		marks[i - (ULLONG_MAX - 3 * N)] += 10;
#pragma omp parallel for
	for (const int *at = marks; at < marks + N; at++)
		list[at - marks] = *at;
#pragma omp parallel for
	for (int i = 0; i < N; i++) {
		if (i == 250) {
#pragma omp atomic write
			found = 1;
#pragma omp cancel for
		}
#pragma omp cancellation point for
	}
	for (int i = 0; i < N; i++)
		wrong += list[i] != ((N - 1 - i) % 3 == 0 ? 11 : 10);
	return wrong + (found > 1);
}

int main(void)
{
	return check_order() + check_last() + check_sums() + check_bounds() != 0;
}
