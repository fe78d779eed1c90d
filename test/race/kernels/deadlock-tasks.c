/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: two sibling tasks take two locks in opposite orders.
 * Nothing orders the tasks. In the fixed program a dependence does (OpenMP 5.2, 15.9.5).
 */
#include <omp.h>

#ifdef FIXED
#define ORDER(kind) depend(kind : data)
#else
#define ORDER(kind)
#endif

static omp_lock_t in, out;
static int data;

int main(void)
{
	omp_init_lock(&in);
	omp_init_lock(&out);
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 4; i++) {
#pragma omp task ORDER(inout)
			{
				omp_set_lock(&in);  /* deadlock: lock in */
				omp_set_lock(&out); /* deadlock: lock out */
				data++;
				omp_unset_lock(&out);
				omp_unset_lock(&in);
			}
#pragma omp task ORDER(inout)
			{
				omp_set_lock(&out); /* deadlock: lock out */
				omp_set_lock(&in);  /* deadlock: lock in */
				data--;
				omp_unset_lock(&in);
				omp_unset_lock(&out);
			}
		}
	}
	omp_destroy_lock(&in);
	omp_destroy_lock(&out);
	return data;
}
