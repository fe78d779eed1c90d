/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints how many threads its regions have, and what the routines say of nthreads-var before,
 * inside and behind them. The test finds a directive's line by the comment behind it.
 */
#include <omp.h>
#include <stdio.h>

static void print_region(const char *name, int threads, int inside)
{
	printf("%s: %d, inside %d, behind %d\n", name, threads, inside, omp_get_max_threads());
}

int main(void)
{
	int threads = 0, inside = 0;

	omp_set_dynamic(0);
	omp_set_max_active_levels(2);
	omp_set_num_threads(4);
	for (int i = 0; i < 2; i++) {
#pragma omp parallel reduction(+ : threads) reduction(max : inside) /* open */
		{
			threads++;
			inside = omp_get_max_threads();
		}
		print_region("open", threads, inside);
		threads = inside = 0;
	}
#pragma omp parallel for reduction(+ : threads) schedule(static, 1) /* loop */
	for (int i = 0; i < 64; i++)
		threads += i < omp_get_num_threads() ? 1 : 0;
	print_region("loop", threads, 0);
	threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads) reduction(max : inside) /* clause */
	{
		threads++;
		inside = omp_get_max_threads();
	}
	print_region("clause", threads, inside);
	threads = inside = 0;
#pragma omp parallel reduction(+ : threads) reduction(max : inside) /* outer */
	{
#pragma omp parallel reduction(+ : threads) reduction(max : inside) /* inner */
		{
			threads++;
			inside = omp_get_max_threads();
		}
	}
	print_region("nested", threads, inside);
	threads = inside = 0;
#pragma omp parallel if (0) reduction(+ : threads) reduction(max : inside) /* alone */
	{
		threads++;
		inside = omp_get_max_threads();
	}
	print_region("alone", threads, inside);
	return 0;
}
