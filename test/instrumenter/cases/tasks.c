/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

static int fibonacci(int n)
{
	int a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a) firstprivate(n) if(n > 4)
	a = fibonacci(n - 1);
#pragma omp task shared(b) default(none) firstprivate(n) final(n < 3) mergeable
	b = fibonacci(n - 2);
#pragma omp taskwait
	return a + b;
}

int main(void)
{
	int result = 0, done = 0, chain = 0;

#pragma omp parallel
#pragma omp single
	{
		result = fibonacci(12);
#pragma omp taskgroup
		{
			for (int p = 0; p < 5; p++)
#pragma omp task untied firstprivate(p) shared(done)
			{
#pragma omp atomic
				done += p;
			}
		}
#pragma omp taskyield
#pragma omp task depend(out: chain) shared(chain)
		chain = 1;
#pragma omp task depend(inout: chain) shared(chain) priority(1)
		chain *= 10;
#pragma omp taskwait depend(in: chain)
#pragma omp task if(0)
		printf("undeferred\n");
#pragma omp taskloop grainsize(2)
		for (int i = 0; i < 6; i++) {
#pragma omp critical
			done++;
		}
	}
	printf("%d %d %d\n", result, done, chain);
	return 0;
}
