/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: Fibonacci numbers by tasks, where the sum is built without waiting.
 * The parent reads what its children write (OpenMP 5.2, 15.5). The fixed one waits before the sum.
 */
static int fib(int n)
{
	int a = 0, b = 0, sum;

	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fib(n - 1); /* race: write a */
#pragma omp task shared(b)
	b = fib(n - 2); /* race: write b */
#ifdef FIXED
#pragma omp taskwait
#endif
	sum = a + b; /* race: read a */ /* race: read b */
#ifndef FIXED
#pragma omp taskwait
#endif
	return sum;
}

int main(void)
{
	int result = 0;

#pragma omp parallel
#pragma omp single
	result = fib(9);
	return result != 34;
}
