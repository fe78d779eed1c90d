/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: nestable locks in opposite orders, of which each run of the plan shows at most one.
 * In the fixed program the second order is none: the thread sets a lock again that it has.
 */
#include <omp.h>

static omp_nest_lock_t tree, leaf;
static int nodes;

static void grow(void)
{
	omp_set_nest_lock(&tree); /* deadlock: nestable lock tree */
	omp_set_nest_lock(&leaf); /* deadlock: nestable lock leaf */
	nodes++;
	omp_unset_nest_lock(&leaf);
	omp_unset_nest_lock(&tree);
}

static void cut(void)
{
#ifdef FIXED
	omp_set_nest_lock(&tree);
#endif
	omp_set_nest_lock(&leaf); /* deadlock: nestable lock leaf */
	omp_set_nest_lock(&tree); /* deadlock: nestable lock tree */
	nodes--;
	omp_unset_nest_lock(&tree);
	omp_unset_nest_lock(&leaf);
#ifdef FIXED
	omp_unset_nest_lock(&tree);
#endif
}

int main(void)
{
	omp_init_nest_lock(&tree);
	omp_init_nest_lock(&leaf);
#pragma omp parallel for
	for (int i = 0; i < 64; i++) {
		if (i == 2 && omp_get_thread_num() == 0)
			grow();
		if (i == 1 && omp_get_thread_num() == 1)
			cut();
	}
	omp_destroy_nest_lock(&tree);
	omp_destroy_nest_lock(&leaf);
	return 0;
}
