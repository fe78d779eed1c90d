/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lock routines as a program built for OpenMP 2.5 finds them: version OMP_1.0, under C and
 * Fortran names, a simple lock of four bytes, a nestable lock of eight that a thread owns.
 */
#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>

#include "check.h"

enum { TURNS = 2000 };

/* What must not be written by the routines surrounds what must. */
struct guarded {
	uint64_t before;
	union {
		uint32_t simple;
		uint64_t nest;
	};
	uint64_t after;
};

static const uint64_t guard = 0x5aa5f00f12345678;

static void *find(const char *name, const char *suffix)
{
	char full[64];

	snprintf(full, sizeof(full), "%s%s", name, suffix);
	void *routine = dlvsym(RTLD_DEFAULT, full, "OMP_1.0");
	if (!CHECK(routine != NULL))
		fprintf(stderr, "%s@OMP_1.0 is missing\n", full);
	return routine;
}

static void test_simple(const char *suffix)
{
	void (*init)(void *) = find("omp_init_lock", suffix);
	void (*set)(void *) = find("omp_set_lock", suffix);
	void (*unset)(void *) = find("omp_unset_lock", suffix);
	int (*test)(void *) = find("omp_test_lock", suffix);
	void (*destroy)(void *) = find("omp_destroy_lock", suffix);
	struct guarded lock = {guard, .nest = guard, guard};
	uint64_t rest = guard >> 32;
	int plain = 0, threads = 0;

	init(&lock.simple);
#pragma omp parallel
	{
#pragma omp single
		threads = omp_get_num_threads();
		for (int i = 0; i < TURNS; i++) {
			set(&lock.simple);
			plain++;
			unset(&lock.simple);
		}
	}
	CHECK_EQUAL(plain, threads * TURNS);
	CHECK_EQUAL(test(&lock.simple), 1);
	int taken = 0;
#pragma omp parallel reduction(+ : taken)
	taken += test(&lock.simple);
	CHECK_EQUAL(taken, 0);
	unset(&lock.simple);
	destroy(&lock.simple);
	CHECK(lock.before == guard && lock.after == guard && lock.nest >> 32 == rest);
}

static void test_nest(const char *suffix)
{
	void (*init)(void *) = find("omp_init_nest_lock", suffix);
	void (*set)(void *) = find("omp_set_nest_lock", suffix);
	void (*unset)(void *) = find("omp_unset_nest_lock", suffix);
	int (*test)(void *) = find("omp_test_nest_lock", suffix);
	void (*destroy)(void *) = find("omp_destroy_nest_lock", suffix);
	struct guarded lock = {guard, .nest = guard, guard};
	int plain = 0, threads = 0;

	init(&lock.nest);
#pragma omp parallel
	{
#pragma omp single
		threads = omp_get_num_threads();
		for (int i = 0; i < TURNS; i++) {
			set(&lock.nest);
			set(&lock.nest);
			plain++;
			unset(&lock.nest);
			plain++;
			unset(&lock.nest);
		}
	}
	CHECK_EQUAL(plain, 2 * threads * TURNS);
	CHECK_EQUAL(test(&lock.nest), 1);
	CHECK_EQUAL(test(&lock.nest), 2);
	int others = 0;
#pragma omp parallel reduction(+ : others)
	{
#pragma omp masked
		{
			CHECK_EQUAL(test(&lock.nest), 3); /* the owner is the thread, in any task */
			unset(&lock.nest);
		}
		if (omp_get_thread_num() != 0)
			others += test(&lock.nest);
	}
	CHECK_EQUAL(others, 0);
	unset(&lock.nest);
	unset(&lock.nest);
	CHECK_EQUAL(test(&lock.nest), 1);
	unset(&lock.nest);
	destroy(&lock.nest);
	CHECK(lock.before == guard && lock.after == guard);
}

int main(void)
{
	test_simple("");
	test_simple("_");
	test_nest("");
	test_nest("_");
	return check_result();
}
