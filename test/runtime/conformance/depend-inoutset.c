/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inoutset: the members of one set do not wait for each other, and the set is ordered against
 * readers, writers and mutexinoutset. gcc accepts the word from release 13 on and then passes such
 * a dependence as a depend object of kind 5; with gcc 12 the test makes that object by hand.
 * OpenMP 5.1, 2.19.11.
 */
#include <omp.h>

#include "check.h"

#ifdef __clang__
#define PEERS(variable)                                                                            \
	inoutset:                                                                                  \
	variable
#else /* gcc 12 lacks it as a word */
#define PEERS(variable)                                                                            \
	depobj:                                                                                    \
	set.opaque
#endif
#define KIND_INOUTSET 5

/* An omp_depend_t is the address and the kind of the dependence. */
union object {
	omp_depend_t opaque;
	struct {
		void *address;
		void *kind;
	} is;
};

static void set_of_peers(int members)
{
	int value = 0;
	int parts = 0;
	union object set = {.is = {&value, (void *)KIND_INOUTSET}};

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < 5; round++) {
#pragma omp task depend(inout : value)
		{
			CHECK_EQUAL(__atomic_load_n(&parts, __ATOMIC_RELAXED), round * members);
			value = round;
		}
		for (int i = 0; i < members; i++) {
#pragma omp task depend(PEERS(value))
			{
				CHECK_EQUAL(value, round);
				count(&parts);
			}
		}
#pragma omp task depend(in : value)
		CHECK_EQUAL(__atomic_load_n(&parts, __ATOMIC_RELAXED), (round + 1) * members);
#pragma omp task depend(mutexinoutset : value)
		CHECK_EQUAL(value, round);
	}
	CHECK_EQUAL(parts, 5 * members);
}

/* Two members of an inoutset that wait for each other. */
static void peers_run_at_once(void)
{
	int value = 0;
	int inside = 0;
	union object set = {.is = {&value, (void *)KIND_INOUTSET}};

#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 2; i++) {
#pragma omp task depend(PEERS(value))
		{
			raise_flag(&inside);
			CHECK(await_flag(&inside, 2));
		}
	}
	CHECK_EQUAL(inside, 2);
}

/* Set, then readers, then another set: the readers keep the two apart. */
static void readers_between_sets(void)
{
	int value = 0;
	int first = 0;
	int readers = 0;
	union object set = {.is = {&value, (void *)KIND_INOUTSET}};

#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 6; i++) {
#pragma omp task depend(PEERS(value))
			count(&first);
		}
		for (int i = 0; i < 6; i++) {
#pragma omp task depend(in : value)
			{
				CHECK_EQUAL(__atomic_load_n(&first, __ATOMIC_RELAXED), 6);
				count(&readers);
			}
		}
		for (int i = 0; i < 6; i++) {
#pragma omp task depend(PEERS(value))
			CHECK_EQUAL(__atomic_load_n(&readers, __ATOMIC_RELAXED), 6);
		}
	}
	CHECK_EQUAL(readers, 6);
}

int main(void)
{
	omp_set_dynamic(0);
	for (int i = 0; i < 10; i++) {
		set_of_peers(1);
		set_of_peers(8);
		peers_run_at_once();
		readers_between_sets();
	}
	return check_result();
}
