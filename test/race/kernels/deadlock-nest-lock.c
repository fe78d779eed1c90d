/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: two nestable locks in opposite orders; each is set again by its owner.
 * Only the first of the nested calls can wait (OpenMP 5.2, 18.9). The fixed one still sets the
 * outer lock again with the inner one, which is no order.
 */
#include <omp.h>

static omp_nest_lock_t tree, leaf;
static int nodes;

static void grow(int depth)
{
	omp_set_nest_lock(&tree); /* deadlock: nestable lock tree */
	omp_set_nest_lock(&leaf); /* deadlock: nestable lock leaf */
	omp_set_nest_lock(&tree);
	nodes++;
	if (depth > 0)
		grow(depth - 1);
	omp_unset_nest_lock(&tree);
	omp_unset_nest_lock(&leaf);
	omp_unset_nest_lock(&tree);
}

static void cut(void)
{
#ifdef FIXED
	omp_set_nest_lock(&tree);
	omp_set_nest_lock(&leaf);
#else
	omp_set_nest_lock(&leaf); /* deadlock: nestable lock leaf */
	omp_set_nest_lock(&tree); /* deadlock: nestable lock tree */
#endif
	nodes--;
	omp_unset_nest_lock(&tree);
	omp_unset_nest_lock(&leaf);
}

int main(void)
{
	omp_init_nest_lock(&tree);
	omp_init_nest_lock(&leaf);
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0)
			grow(2);
		else
			cut();
	}
	omp_destroy_nest_lock(&tree);
	omp_destroy_nest_lock(&leaf);
	return 0;
}
