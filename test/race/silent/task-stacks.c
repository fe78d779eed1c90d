/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: each task has large local arrays, gives parts of them to its child tasks, and waits.
 * Stacks of tasks that are over are used by others: their memory changes hands without any order
 * in the program.
 */
enum { WIDTH = 64 };

static long sum_of(const int *values, int n)
{
	int copy[WIDTH];
	long left = 0, right = 0;

	for (int i = 0; i < n; i++)
		copy[i] = values[i];
	if (n <= 8) {
		for (int i = 0; i < n; i++)
			left += copy[i];
		return left;
	}
#pragma omp task shared(copy, left) firstprivate(n)
	left = sum_of(copy, n / 2);
#pragma omp task shared(copy, right) firstprivate(n)
	right = sum_of(copy + n / 2, n - n / 2);
#pragma omp taskwait
	return left + right;
}

int main(void)
{
	long total = 0;

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < 30; round++) {
#pragma omp task firstprivate(round) shared(total)
		{
			int values[WIDTH];
			long sum;

			for (int i = 0; i < WIDTH; i++)
				values[i] = round;
			sum = sum_of(values, WIDTH);
#pragma omp atomic
			total += sum;
		}
	}
	return total != 435L * WIDTH;
}
