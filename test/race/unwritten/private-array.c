/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data: an element of a private array that no iteration has written.
 */
static int result;

int main(void)
{
	int work[4] = {0};

#pragma omp parallel for num_threads(2) private(work)
	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < 3; j++)
			work[j] = i;
#ifdef FIXED
		work[3] = 0;
#endif
		if (work[3] > 2) { /* memory: read */
#pragma omp atomic write
			result = 1;
		}
	}
	return 0;
}
