/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flags: -std=gnu2x
 * instrumented: 8
 *
 * Directives in attributes (OpenMP 6.0, 5.1), which C has since C23: none may be lost, and none may
 * take effect twice.
 */
#include <omp.h>
#include <stdio.h>

static int own [[omp::decl(threadprivate)]];
static int global;
[[omp::directive(threadprivate(global))]];

int main(void)
{
	int total = 0, visits = 0, order = 0;

	[[omp::directive(parallel num_threads(3) reduction(+ : visits))]]
	{
		own = global = 1;
		visits += own + global + omp_get_num_threads();
	}
	[[omp::sequence(directive(parallel num_threads(2)), directive(for reduction(+ : total)))]]
	for (int i = 0; i < 10; i++)
		total += i;
	[[omp::directive(parallel, num_threads(2))]]
	{
		[[omp::directive(barrier)]];
		[[omp::directive(critical(add))]] order++;
		[[omp::directive(barrier)]];
		[[omp::sequence(omp::directive(single))]] order *= 10;
	}
	printf("%d %d %d\n", total, visits, order);
	return 0;
}
