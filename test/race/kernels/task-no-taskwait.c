/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: a result is used behind the task that computes it, without waiting.
 * A task may be executed at any time until the next barrier (OpenMP 5.2, 12.5 and 12.9). The fixed
 * one waits by taskwait (15.5).
 */
int main(void)
{
	int result = 0;
	int copy = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task shared(result)
		result = 12; /* race: write result */
#ifdef FIXED
#pragma omp taskwait
#endif
		copy = result; /* race: read result */
	}
	return result != 12 || copy != 12;
}
