/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * static: each task adds to its own result, and the results of tasks that run at the same time are
 * neighbours.
 */
enum { TASKS = 16, STEPS = 3200000 };

static _Alignas(64) struct { /* so that all results are in one line, or each in one of its own */
#ifdef FIXED
	_Alignas(64)
#endif
	    volatile int value;
} results[TASKS];

static void work(int number)
{
	for (int step = 0; step < STEPS; step++) {
		if (step & 3)
			results[number].value += step & 1; /* sharing: false results */
	}
}

int main(void)
{
	long all = 0;

#pragma omp parallel
#pragma omp single
	for (int number = 0; number < TASKS; number++) {
#pragma omp task
		work(number);
	}
	for (int number = 0; number < TASKS; number++)
		all += results[number].value;
	return all != (long)TASKS * STEPS / 2;
}
