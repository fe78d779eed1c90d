/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: Fibonacci numbers by recursive tasks, the classic one.
 * Each call waits for its own two tasks before it adds what they wrote into its variables; below
 * a bound tasks are final.
 */
static long fib(int n)
{
	long before, last;

	if (n < 2)
		return n;
#pragma omp task shared(before) final(n < 6)
	before = fib(n - 2);
#pragma omp task shared(last) final(n < 6) mergeable
	last = fib(n - 1);
#pragma omp taskwait
	return before + last;
}

int main(void)
{
	long result = 0;

#pragma omp parallel
#pragma omp masked
	{
#pragma omp task shared(result) untied
		result = fib(16);
#pragma omp taskwait
	}
	return result != 987;
}
