/* SPDX-License-Identifier: BSD-3-Clause */
/* silent: recursive tasks, each of which returns its result to its parent's frame. */
static long fib(int n)
{
	long a = 0, b = 0;

	if (n < 16)
		return n < 2 ? n : fib(n - 1) + fib(n - 2);
#pragma omp task shared(a)
	a = fib(n - 1);
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

int main(void)
{
	long result = 0;

#pragma omp parallel
#pragma omp single
	result = fib(29);
	return result != 514229;
}
