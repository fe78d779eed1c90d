/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * depend(in, out, inout): readers run after the last writer, a writer after all readers, and what a
 * predecessor wrote is visible; chains, fans, several addresses, array sections, iterators and a
 * blocked factorisation's pattern. OpenMP 5.1, 2.19.11.
 */
#include <omp.h>

#include "check.h"

static void chain(int length)
{
	int value = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < length; i++) {
#pragma omp task depend(inout : value)
		{
			CHECK_EQUAL(value, i);
			value = i + 1;
		}
	}
	CHECK_EQUAL(value, length);
}

/* Each round: one writer, then readers that must all see it, before the next writer. */
static void fan(int readers)
{
	int value = -1;
	int reading = 0;
	int done = 0;

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < 10; round++) {
#pragma omp task depend(out : value)
		{
			CHECK_EQUAL(is_raised(&reading, 1), 0);
			CHECK_EQUAL(__atomic_load_n(&done, __ATOMIC_RELAXED), round * readers);
			value = round;
		}
		for (int i = 0; i < readers; i++) {
#pragma omp task depend(in : value)
			{
				raise_flag(&reading);
				CHECK_EQUAL(value, round);
				count(&done);
				__atomic_sub_fetch(&reading, 1, __ATOMIC_RELEASE);
			}
		}
	}
	CHECK_EQUAL(done, 10 * readers);
}

/* Readers of the same writer do not exclude each other. */
static void readers_run_at_once(void)
{
	int value = 0;
	int inside = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(out : value)
		value = 1;
		for (int i = 0; i < 2; i++) {
#pragma omp task depend(in : value)
			{
				raise_flag(&inside);
				CHECK(await_flag(&inside, 2));
			}
		}
	}
}

static void several_addresses(void)
{
	enum { CELLS = 12 };
	int cells[CELLS] = {0};

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < 20; round++) {
		for (int i = 1; i < CELLS - 1; i++) {
#pragma omp task depend(in : cells[i - 1], cells[i + 1]) depend(inout : cells[i])
			{
				CHECK_EQUAL(cells[i], round);
				CHECK(i == 1 || cells[i - 1] == round + 1);
				CHECK(i == CELLS - 2 || cells[i + 1] == round);
				cells[i]++;
			}
		}
	}
	CHECK_ALL(cells + 1, CELLS - 2, 20);
}

/* The same address twice, and as in and out of one task, is one dependence. */
static void repeated_addresses(void)
{
	int value = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 30; i++) {
#pragma omp task depend(in : value) depend(out : value) depend(inout : value, value)
		value++;
	}
	CHECK_EQUAL(value, 30);
}

static void iterators(void)
{
	enum { PARTS = 16 };
	int parts[PARTS];
	int sum = 0;

#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < PARTS; i++) {
#pragma omp task depend(out : parts[i])
			{
				dawdle(100);
				parts[i] = i;
			}
		}
#pragma omp task depend(iterator(i = 0 : PARTS), in : parts[i]) depend(out : sum)
		for (int i = 0; i < PARTS; i++)
			sum += parts[i];
#pragma omp task depend(in : sum)
		CHECK_EQUAL(sum, PARTS * (PARTS - 1) / 2);
	}
}

/* Only siblings depend on each other: a task's children are a world of their own. */
static void inner_worlds(void)
{
	int value = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : value)
		{
			int inner = 0;

			for (int j = 0; j < 5; j++) {
#pragma omp task depend(inout : inner) shared(inner)
				inner++;
			}
#pragma omp taskwait
			CHECK_EQUAL(inner, 5);
			value++;
		}
	}
	CHECK_EQUAL(value, 10);
}

static void factorisation(void)
{
	enum { BLOCKS = 7 };
	static int steps[BLOCKS][BLOCKS];

	memset(steps, 0, sizeof(steps));
#pragma omp parallel
#pragma omp single
	for (int k = 0; k < BLOCKS; k++) {
#pragma omp task depend(inout : steps[k][k])
		CHECK_EQUAL(steps[k][k]++, k);
		for (int i = k + 1; i < BLOCKS; i++) {
#pragma omp task depend(in : steps[k][k]) depend(inout : steps[i][k])
			{
				CHECK_EQUAL(steps[k][k], k + 1);
				CHECK_EQUAL(steps[i][k]++, k);
			}
		}
		for (int i = k + 1; i < BLOCKS; i++) {
			for (int j = k + 1; j <= i; j++) {
#pragma omp task depend(in : steps[i][k], steps[j][k]) depend(inout : steps[i][j])
				{
					CHECK_EQUAL(steps[i][k], k + 1);
					CHECK_EQUAL(steps[j][k], k + 1);
					CHECK_EQUAL(steps[i][j]++, k);
				}
			}
		}
	}
	for (int i = 0; i < BLOCKS; i++)
		for (int j = 0; j <= i; j++)
			CHECK_EQUAL(steps[i][j], j + 1);
}

int main(void)
{
	omp_set_dynamic(0);
	chain(500);
	fan(1);
	fan(20);
	for (int i = 0; i < 10; i++) {
		readers_run_at_once();
		several_addresses();
		repeated_addresses();
		iterators();
		inner_worlds();
		factorisation();
	}
	return check_result();
}
