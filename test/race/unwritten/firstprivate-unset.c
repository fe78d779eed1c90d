/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data: firstprivate copies an array that has no value.
 */
static int result;

int main(void)
{
	int start[8];

#ifdef FIXED
	start[0] = 0;
#endif
#pragma omp parallel num_threads(2) firstprivate(start)
	{
		if (start[0] > 2) { /* memory: read */
#pragma omp atomic write
			result = 1;
		}
	}
	return 0;
}
