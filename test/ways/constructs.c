/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every construct, with visits that do not depend on how the threads run: measured once
 * instrumented and once plain under `ompinst run`, and compared by both-ways.py. Each directive has
 * its own line.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static volatile double sink;
static long total, named_total, lock_total, atomic_total;
static omp_lock_t lock;

/* Some microseconds, so that a region's time is more than the cost of its events. */
static void work(int amount)
{
	double x = amount;

	for (int i = 0; i < amount * 2000; i++)
		x = x * 0.999 + 1.0;
	sink = x;
}

static void mutual_exclusion(void)
{
#pragma omp parallel num_threads(3)
	{
		work(1);
#pragma omp critical
		total += 1;
#pragma omp critical(named)
		{
			work(1);
			named_total += 2;
		}
#pragma omp barrier
		omp_set_lock(&lock);
		lock_total += 3;
		omp_unset_lock(&lock);
#pragma omp atomic
		atomic_total += 4;
	}
}

static void loops(int n)
{
#pragma omp parallel for num_threads(2) schedule(dynamic, 2)
	for (int i = 0; i < n; i++)
		work(1);
#pragma omp parallel num_threads(3)
	{
#pragma omp for schedule(guided)
		for (int i = 0; i < n; i++)
			work(1);
#pragma omp for schedule(runtime) nowait
		for (int i = 0; i < n; i++)
			work(1);
#pragma omp for ordered schedule(dynamic)
		for (int i = 0; i < n; i++) {
			work(1);
#pragma omp ordered
			total += i;
		}
#pragma omp for
		for (int i = 0; i < n; i++)
			work(1);
	}
}

static void sections(void)
{
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		work(2);
#pragma omp section
		work(3);
	}
#pragma omp parallel num_threads(2)
	{
#pragma omp sections
		{
#pragma omp section
			work(1);
#pragma omp section
			work(2);
		}
#pragma omp single
		work(1);
	}
}

static void tree(int depth)
{
	if (depth == 0) {
		work(1);
		return;
	}
#pragma omp task
	tree(depth - 1);
#pragma omp task untied
	tree(depth - 1);
#pragma omp taskwait
}

static void tasks(int n)
{
	int a = 0, b = 0;

#pragma omp parallel num_threads(3)
	{
#pragma omp single
		{
			tree(4);
#pragma omp taskgroup
			{
#pragma omp task depend(out : a)
				a = n;
#pragma omp task depend(in : a) depend(out : b)
				b = a + 1;
#pragma omp task if (0) depend(in : b)
				work(b);
			}
		}
	}
	total += b;
}

static void task_loop(int n)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp single
		{
#pragma omp taskloop num_tasks(5)
			for (int i = 0; i < n; i++)
				work(1);
		}
	}
}

static void nested(void)
{
#pragma omp parallel num_threads(2)
	{
		work(1);
#pragma omp parallel num_threads(2)
		work(1);
#pragma omp parallel num_threads(1)
		work(2); /* not the same as above: gcc may make one function of two regions */
	}
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 3;

	omp_init_lock(&lock);
	for (int i = 0; i < rounds; i++) {
		mutual_exclusion();
		loops(20);
		sections();
		tasks(10);
		task_loop(10);
		nested();
	}
	omp_destroy_lock(&lock);
	printf("totals %ld %ld %ld %ld\n", total, named_total, lock_total, atomic_total);
	return 0;
}
