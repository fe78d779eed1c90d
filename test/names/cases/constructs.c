/* SPDX-License-Identifier: BSD-3-Clause */
/* Constructs of every kind that calls the runtime, as a whole file. */
#include <stdio.h>
#include <omp.h>
static int counter;
#pragma omp threadprivate(counter)

static double work(int n)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		s += i * 0.5;
	return s;
}

int fib(int n)
{
	int a, b;
	if (n < 2)
		return n;
#pragma omp task shared(a) firstprivate(n)
	a = fib(n - 1);

#pragma omp task shared(b)
	{
		b = fib(n - 2);
	}
#pragma omp taskwait
	return a + b;
}

static inline void sync_all(void)
{
#pragma omp barrier
}

int main(void)
{
	double sum = 0;
	int i;

#pragma omp parallel
	{
#pragma omp critical(name1)
		counter++;
#pragma omp critical
		{
			counter += 2;
			printf("%d\n", counter > 1);
		}
		sync_all();
#pragma omp for schedule(dynamic, 4) reduction(+ : sum)
		for (i = 0; i < 100; i++)
			sum += work(i);
#pragma omp for ordered schedule(static, 1)
		for (i = 0; i < 10; i++) {
			double x = work(i);
#pragma omp ordered
			{
				sum += x;
			}
		}
#pragma omp single copyprivate(counter)
		counter = 3;
#pragma omp sections
		{
#pragma omp section
			work(3);
#pragma omp section
			work(4);
		}
#pragma omp barrier
	}
#pragma omp parallel for schedule(guided) num_threads(3)
	for (i = 0; i < 100; i++)
		work(i);
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup
		{
			printf("%d\n", fib(5));
		}
#pragma omp taskloop
		for (i = 0; i < 5; i++)
			work(i);
	}
	return sum < 0;
}
