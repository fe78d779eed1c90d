/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ordered regions of a loop run in the order of the sequential loop, one at a time, in every
 * schedule, also when some iterations leave theirs out. OpenMP 5.1, 2.19.9.
 */
#include <omp.h>

#include "check.h"

#define LENGTH 60

static int next;
static int inside;
static int plain[LENGTH]; /* handed from one ordered region to the next without atomics */

static void take_turn(int i)
{
	CHECK_EQUAL(count(&inside), 0);
	CHECK_EQUAL(next, i);
	plain[i] = i == 0 ? 0 : plain[i - 1] + i;
	next++;
	__atomic_sub_fetch(&inside, 1, __ATOMIC_RELAXED);
}

static void finish(void)
{
	CHECK_EQUAL(next, LENGTH);
	CHECK_EQUAL(plain[LENGTH - 1], LENGTH * (LENGTH - 1) / 2);
	next = 0;
}

static void each_schedule(int chunk)
{
#pragma omp parallel for ordered schedule(static)
	for (int i = 0; i < LENGTH; i++)
#pragma omp ordered
		take_turn(i);
	finish();
#pragma omp parallel for ordered schedule(static, chunk)
	for (int i = 0; i < LENGTH; i++)
#pragma omp ordered
		take_turn(i);
	finish();
#pragma omp parallel for ordered schedule(dynamic, chunk)
	for (int i = 0; i < LENGTH; i++)
#pragma omp ordered
		take_turn(i);
	finish();
#pragma omp parallel for ordered schedule(guided, chunk)
	for (int i = 0; i < LENGTH; i++)
#pragma omp ordered
		take_turn(i);
	finish();
	omp_set_schedule(omp_sched_dynamic, chunk);
#pragma omp parallel for ordered schedule(runtime)
	for (int i = 0; i < LENGTH; i++)
#pragma omp ordered
		take_turn(i);
	finish();
}

static void wide_iterations(void)
{
	unsigned long long base = ~0ULL - 2 * LENGTH;

#pragma omp parallel for ordered schedule(dynamic)
	for (unsigned long long i = base; i < base + LENGTH; i++)
#pragma omp ordered
		take_turn((int)(i - base));
	finish();
#pragma omp parallel for ordered schedule(static, 2)
	for (unsigned long long i = base; i < base + LENGTH; i++)
#pragma omp ordered
		take_turn((int)(i - base));
	finish();
#pragma omp parallel for ordered schedule(guided)
	for (long i = LENGTH; i > 0; i--)
#pragma omp ordered
		take_turn((int)(LENGTH - i));
	finish();
}

/* An iteration need not encounter its ordered construct, and work before and after it is parallel.
 */
static void left_out(int divisor)
{
	int last = -1;
	int encountered = 0;

#pragma omp parallel for ordered schedule(dynamic)
	for (int i = 0; i < LENGTH; i++) {
		dawdle((i * 7 % 5) * 20);
		if (i % divisor == 0) {
#pragma omp ordered
			{
				CHECK(i > last);
				last = i;
				encountered++;
			}
		}
		dawdle((i * 3 % 4) * 20);
	}
	CHECK_EQUAL(encountered, (LENGTH + divisor - 1) / divisor);
}

static void collapsed(void)
{
#pragma omp parallel for ordered collapse(2) schedule(dynamic)
	for (int i = 0; i < 10; i++)
		for (int j = 0; j < LENGTH / 10; j++)
#pragma omp ordered
			take_turn(i * (LENGTH / 10) + j);
	finish();
}

int main(void)
{
	omp_set_dynamic(0);
	each_schedule(1);
	each_schedule(7);
	wide_iterations();
	left_out(3);
	left_out(LENGTH * 2);
	collapsed();
	return check_result();
}
