/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: taskwait is to wait for the children of a child.
 * It waits for the current task's own children only (OpenMP 5.2, 15.5). The fixed one has a
 * taskgroup, which waits for all descendants (15.4).
 */
int main(void)
{
	int leaves[8] = {0};
	int sum = 0;

#pragma omp parallel
#pragma omp single
	{
#ifdef FIXED
#pragma omp taskgroup
#endif
		{
#pragma omp task shared(leaves)
			for (int i = 0; i < 8; i++) {
#pragma omp task shared(leaves) firstprivate(i)
				leaves[i] = i; /* race: write leaves */
			}
#pragma omp taskwait
		}
		for (int i = 0; i < 8; i++)
			sum += leaves[i]; /* race: read leaves */
	}
	return sum != 28;
}
