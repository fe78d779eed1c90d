/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: a task reads its private copy before it writes it.
 */
static int result;

int main(void)
{
	int depth = 1;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#ifdef FIXED
#pragma omp task firstprivate(depth)
#else
#pragma omp task private(depth)
#endif
		{
			if (depth > 1) /* memory: read */
				result = 1;
		}
	}
	return 0;
}
