/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * true: all threads store what they have found last in one variable. Any of the values is right.
 */
enum { STEPS = 80000000 };

static long last = -1;

int main(void)
{
#pragma omp parallel num_threads(2)
	{
		long mine = -1;

#pragma omp for nowait
		for (long i = 0; i < STEPS; i++) {
			if (i % 5 == 0) {
#ifdef FIXED
				mine = i;
#else
#pragma omp atomic write
				last = i; /* sharing: true last */
#endif
			}
		}
		if (mine >= 0)
#pragma omp atomic write
			last = mine;
	}
	return last < 0;
}
