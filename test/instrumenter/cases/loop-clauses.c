/* SPDX-License-Identifier: BSD-3-Clause */
/* Clauses that hold expressions, iterators and modifiers, on simple and on combined directives. */
#include <stdio.h>

#define TEXT(x) (sizeof(x) - 1)

static int n = 2, b = 3;

static int schedules(void)
{
	int a[24] = {0}, sum = 0;

#pragma omp parallel for schedule(dynamic, (n) * (b))
	for (int i = 0; i < 24; i++)
		a[i] += i;
#pragma omp parallel for schedule(nonmonotonic : dynamic, (int)TEXT("),(\"'")) num_threads((n))
	for (int i = 0; i < 24; i++)
		a[i] += i;
#pragma omp parallel for schedule(monotonic : static, ')' - '(') if (parallel : n > 1)
	for (int i = 0; i < 24; i++)
		a[i] += i;
#pragma omp parallel
#pragma omp for schedule(guided, ((int[2]){1, 2}[1])) collapse(2)
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 6; j++)
			a[i * 6 + j] += i;
	for (int i = 0; i < 24; i++)
		sum += a[i];
	return sum;
}

static int lasts(void)
{
	int last = -1, step = 0, first = 5, a[16] = {0, 1, 1, 0, 1};

#pragma omp parallel for firstprivate(first) lastprivate(last, first) linear(step : 2)
	for (int i = 0; i < 16; i++) {
		last = i + step;
		step += 2;
		first = i;
	}
#pragma omp parallel for order(concurrent) default(none) shared(a)
	for (int i = 0; i < 16; i++)
		a[i] += 1;
#pragma omp parallel for order(reproducible : concurrent) reduction(+ : last)
	for (int i = 0; i < 16; i++)
		last += a[i];
	return last + 10000 * step + 1000000 * first;
}

static int dependences(void)
{
	int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, sum = 0;

#pragma omp parallel shared(a, sum)
#pragma omp single
	{
		for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(i) depend(out : a[i]) affinity(a[i])
			a[i] *= 2;
		}
#pragma omp task depend(iterator(i = 0 : 8), in : a[i])
		for (int i = 0; i < 8; i++)
			sum += a[i];
#pragma omp taskwait depend(in : a[0 : 2])
#pragma omp task depend(mutexinoutset : sum)
		sum += 0;
	}
	return sum;
}

static int doacross(void)
{
	int a[12] = {1};

#pragma omp parallel for ordered(1) schedule(static, 1)
	for (int i = 1; i < 12; i++) {
#pragma omp ordered depend(sink : i - 1)
		a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
	}
	return a[11];
}

int main(void)
{
	printf("%d %d %d %d\n", schedules(), lasts(), dependences(), doacross());
	return 0;
}
