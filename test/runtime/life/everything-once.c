/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One program that makes the runtime allocate all it can: pools, nested teams, every kind of loop,
 * tasks with dependences and priorities, reductions, locks, cancellation, a foreign master. With
 * an argument it does so many rounds of it in a thread that ends: then all of that thread's memory
 * is freed when the process ends. The numbers of the results are checked as well.
 */
#include <omp.h>
#include <pthread.h>

#include "check.h"

static void loops(void)
{
	int times[60] = {0};
	long sum = 0;
	int cells[20] = {1};

#pragma omp parallel num_threads(3)
	{
#pragma omp for schedule(dynamic) nowait
		for (int i = 0; i < 60; i++)
			count(&times[i]);
#pragma omp for schedule(guided) reduction(+ : sum) ordered
		for (int i = 0; i < 60; i++) {
#pragma omp ordered
			sum += i;
		}
#pragma omp for schedule(static, 1) ordered(1)
		for (int i = 1; i < 20; i++) {
#pragma omp ordered depend(sink : i - 1)
			cells[i] = cells[i - 1] + 1;
#pragma omp ordered depend(source)
		}
#pragma omp sections
		{
			count(&times[0]);
#pragma omp section
			count(&times[0]);
		}
	}
	CHECK_EQUAL(times[0], 3);
	CHECK_EQUAL(sum, 1770);
	CHECK_EQUAL(cells[19], 20);
}

static void tasks(void)
{
	int cells[5] = {0};
	long sum = 0;

#pragma omp parallel num_threads(3)
	{
		int broadcast = 0;

#pragma omp single copyprivate(broadcast)
		{
			broadcast = 7;
			for (int i = 0; i < 50; i++) {
#pragma omp task depend(inout : cells[i % 5]) priority(i % 3)
				cells[i % 5]++;
#pragma omp task depend(in : cells[i % 5]) depend(mutexinoutset : sum)
				sum++;
			}
#pragma omp taskwait
#pragma omp taskgroup task_reduction(+ : sum)
			{
				for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
					sum++;
				}
#pragma omp taskloop in_reduction(+ : sum) grainsize(2)
				for (int i = 0; i < 10; i++)
					sum++;
			}
		}
		CHECK_EQUAL(broadcast, 7);
	}
	CHECK_ALL(cells, 5, 10);
	CHECK_EQUAL(sum, 70);
}

static void nesting(void)
{
	int members = 0;

	omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(2)
		count(&members);
#pragma omp cancel parallel
	}
#pragma omp teams num_teams(2)
#pragma omp parallel num_threads(2)
	count(&members);
	CHECK_EQUAL(members, 12);
}

static void *foreign_master(void *unused)
{
	omp_lock_t lock;
	omp_nest_lock_t nest;
	void *block = omp_alloc(100, omp_default_mem_alloc);

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(3)
	{
		omp_set_lock(&lock);
		omp_set_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
		omp_unset_lock(&lock);
#pragma omp critical(some_name)
		dawdle(10);
	}
	omp_destroy_nest_lock(&nest);
	omp_destroy_lock(&lock);
	omp_free(block, omp_default_mem_alloc);
	return unused;
}

static void everything(int rounds)
{
	pthread_t thread;

	omp_set_dynamic(0);
	for (int i = 0; i < rounds; i++) {
		loops();
		tasks();
		nesting();
		CHECK_EQUAL(pthread_create(&thread, NULL, foreign_master, NULL), 0);
		pthread_join(thread, NULL);
		foreign_master(NULL);
	}
}

static void *everything_in_thread(void *rounds)
{
	everything(atoi(rounds));
	return NULL;
}

int main(int argc, char **arguments)
{
	pthread_t thread;

	if (argc == 1) {
		everything(3);
	} else {
		CHECK_EQUAL(pthread_create(&thread, NULL, everything_in_thread, arguments[1]), 0);
		pthread_join(thread, NULL);
	}
	return check_result();
}
