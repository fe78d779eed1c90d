/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data: a private variable is read before it is written.
 */
static int result;

int main(void)
{
	int factor = 3;

#ifdef FIXED
#pragma omp parallel num_threads(2) firstprivate(factor)
#else
#pragma omp parallel num_threads(2) private(factor)
#endif
	if (factor > 2) /* memory: read */
#pragma omp atomic write
		result = 1;
	return 0;
}
