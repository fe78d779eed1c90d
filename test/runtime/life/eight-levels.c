/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parallel regions nested to depth 8, two threads each: 256 leaves, right ancestors at each level,
 * and the same again on the teams that are then hot. 64 threads on 2 processors, 32 times too many,
 * run barriers and tasks meanwhile.
 */
#include <omp.h>

#include "check.h"

#define DEPTH 8

static int leaves;

static void descend(int depth, int path)
{
	if (depth == DEPTH) {
		int found = 0;

		for (int level = 1; level <= DEPTH; level++)
			found = 2 * found + omp_get_ancestor_thread_num(level);
		CHECK_EQUAL(found, path);
		CHECK_EQUAL(omp_get_active_level(), DEPTH);
		count(&leaves);
		return;
	}
#pragma omp parallel num_threads(2)
	{
		CHECK_EQUAL(omp_get_num_threads(), 2);
		CHECK_EQUAL(omp_get_level(), depth + 1);
		descend(depth + 1, 2 * path + omp_get_thread_num());
	}
}

/* Teams of other shapes than those that are hot: each level has another size than before. */
static void reshape(int depth, int seed)
{
	int size = 1 + (seed + depth) % 3;
	int members = 0;

	if (depth == 4)
		return;
#pragma omp parallel num_threads(size)
	{
		count(&members);
		reshape(depth + 1, seed + 1);
#pragma omp barrier
	}
	CHECK_EQUAL(members, size);
}

static void crowd(int threads)
{
	int arrived = 0;
	int tasks = 0;

#pragma omp parallel num_threads(threads)
	for (int round = 1; round <= 20; round++) {
		count(&arrived);
#pragma omp barrier
		CHECK_EQUAL(__atomic_load_n(&arrived, __ATOMIC_RELAXED), round * threads);
#pragma omp task
		count(&tasks);
#pragma omp barrier
		CHECK_EQUAL(__atomic_load_n(&tasks, __ATOMIC_RELAXED), round * threads);
#pragma omp barrier
	}
}

int main(int argc, char **arguments)
{
	(void)argc;
	check_needs_environment(arguments, "OMP_STACKSIZE", "256k");
	omp_set_dynamic(0);
	omp_set_max_active_levels(DEPTH);
	for (int i = 1; i <= 3; i++) {
		descend(0, 0);
		CHECK_EQUAL(leaves, i << DEPTH);
	}
	for (int seed = 0; seed < 6; seed++)
		reshape(0, seed);
	crowd(64);
	return check_result();
}
