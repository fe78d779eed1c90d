/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks: exclusion and visibility for simple and nestable locks, test routines that do not wait,
 * nesting counts, ownership by task, and a lock passed between the members of nested teams.
 * OpenMP 5.1, 3.9.
 */
#include <omp.h>

#include "check.h"

#define TURNS 300

static void simple_lock(int threads)
{
	omp_lock_t lock;
	long plain = 0;
	int inside = 0;
	int tried = 0;

	omp_init_lock(&lock);
#pragma omp parallel
	for (int i = 0; i < TURNS; i++) {
		if (i % 3 == 0) {
			while (!omp_test_lock(&lock)) {
				count(&tried);
				sched_yield();
			}
		} else {
			omp_set_lock(&lock);
		}
		CHECK_EQUAL(count(&inside), 0);
		plain++;
		__atomic_sub_fetch(&inside, 1, __ATOMIC_RELAXED);
		omp_unset_lock(&lock);
	}
	CHECK_EQUAL(plain, (long)TURNS * threads);
	CHECK(omp_test_lock(&lock));
	CHECK(!omp_test_lock(&lock));
	omp_unset_lock(&lock);
	omp_destroy_lock(&lock);
}

static void nestable_lock(int threads)
{
	omp_nest_lock_t lock;
	long plain = 0;

	omp_init_nest_lock(&lock);
#pragma omp parallel
	for (int i = 0; i < TURNS; i++) {
		omp_set_nest_lock(&lock);
		omp_set_nest_lock(&lock);
		plain++;
		CHECK_EQUAL(omp_test_nest_lock(&lock), 3);
		omp_unset_nest_lock(&lock);
		omp_unset_nest_lock(&lock);
		plain++; /* still ours */
		omp_unset_nest_lock(&lock);
	}
	CHECK_EQUAL(plain, 2L * TURNS * threads);
	CHECK_EQUAL(omp_test_nest_lock(&lock), 1);
	omp_unset_nest_lock(&lock);
	omp_destroy_nest_lock(&lock);
}

/* A nestable lock belongs to a task: another task, even on the same thread, does not own it. */
static void owned_by_a_task(void)
{
	omp_nest_lock_t lock;

	omp_init_nest_lock(&lock);
	omp_set_nest_lock(&lock);
#pragma omp task if (0) shared(lock)
	CHECK_EQUAL(omp_test_nest_lock(&lock), 0);
	CHECK_EQUAL(omp_test_nest_lock(&lock), 2);
	omp_unset_nest_lock(&lock);
	omp_unset_nest_lock(&lock);
#pragma omp task if (0) shared(lock)
	{
		CHECK_EQUAL(omp_test_nest_lock(&lock), 1);
		omp_unset_nest_lock(&lock);
	}
	omp_destroy_nest_lock(&lock);
}

static void across_nested_teams(void)
{
	omp_lock_t lock;
	int plain = 0;

	omp_init_lock(&lock);
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
	for (int i = 0; i < 50; i++) {
		omp_set_lock(&lock);
		plain++;
		omp_unset_lock(&lock);
	}
	CHECK_EQUAL(plain, 300);
	omp_destroy_lock(&lock);
}

/* The waiters have gone to sleep by the time the lock is given back. */
static void long_holds(void)
{
	omp_lock_t lock;
	int plain = 0;

	omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
	for (int i = 0; i < 2; i++) {
		struct timespec pause = {0, 1000000};

		omp_set_lock(&lock);
		plain++;
		nanosleep(&pause, NULL);
		omp_unset_lock(&lock);
	}
	CHECK_EQUAL(plain, 8);
	omp_destroy_lock(&lock);
}

int main(void)
{
	int threads = omp_get_max_threads();

	omp_set_dynamic(0);
	simple_lock(threads);
	nestable_lock(threads);
	owned_by_a_task();
#pragma omp parallel num_threads(2)
#pragma omp critical
	owned_by_a_task();
	across_nested_teams();
	long_holds();
	return check_result();
}
