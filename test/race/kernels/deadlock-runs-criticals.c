/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: critical constructs of two names, nested in both ways, by threads that get certain
 * work. A run of the plan shows one way or the other one. The fixed ones are nested in one way.
 */
#include <omp.h>

static int head, rows;

static void count_row(void)
{
#pragma omp critical(table) /* deadlock: critical (table) */
	{
#pragma omp critical(list) /* deadlock: critical (list) */
		head++;
		rows++;
	}
}

static void drop_head(void)
{
#ifdef FIXED
#pragma omp critical(table)
	{
#pragma omp critical(list)
#else
#pragma omp critical(list)  /* deadlock: critical (list) */
	{
#pragma omp critical(table) /* deadlock: critical (table) */
#endif
		rows--;
		head--;
	}
}

int main(void)
{
#pragma omp parallel for
	for (int i = 0; i < 64; i++) {
		if (i == 2 && omp_get_thread_num() == 0)
			count_row();
		if (i == 1 && omp_get_thread_num() == 1)
			drop_head();
	}
	return 0;
}
