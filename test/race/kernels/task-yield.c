/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: the generating task polls a plain variable with taskyield until its task has written it.
 * taskyield is a scheduling point and no synchronization (OpenMP 5.2, 12.7). The fixed one polls
 * by an atomic read with acquire, and the task writes with release.
 */
int main(void)
{
	int done = 0;
	int data = 0;
	int copy = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task shared(done, data)
		{
			data = 6; /* race: write data */
#ifdef FIXED
#pragma omp atomic write release
#endif
			done = 1; /* race: write done */
		}
		for (int tries = 0; tries < 1000 && copy == 0; tries++) {
			int seen;

#ifdef FIXED
#pragma omp atomic read acquire
#endif
			seen = done; /* race: read done */
			if (seen)
				copy = data; /* race: read data */
#pragma omp taskyield
		}
	}
	return data != 6 || (copy != 0 && copy != 6);
}
