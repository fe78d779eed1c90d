/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskloop: a variable that each task has to itself, and that only some iterations set.
 */
static int result;

int main(void)
{
	int high = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop private(high) grainsize(1)
	for (int i = 0; i < 4; i++) {
#ifdef FIXED
		high = i;
#else
		if (i == 9)
			high = i;
#endif
		if (high > 2) { /* memory: read */
#pragma omp atomic write
			result = 1;
		}
	}
	return 0;
}
