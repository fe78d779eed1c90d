/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskloop: the results of a taskloop with nogroup are read at once.
 * nogroup removes the taskgroup around its tasks (OpenMP 5.2, 12.6 and 15.7). The fixed one keeps
 * it.
 */
static int values[64];

int main(void)
{
	int sum = 0;

#pragma omp parallel
#pragma omp single
	{
#ifdef FIXED
#pragma omp taskloop
#else
#pragma omp taskloop nogroup
#endif
		for (int i = 0; i < 64; i++)
			values[i] = i; /* race: write values */
		for (int i = 0; i < 64; i++)
			sum += values[i]; /* race: read values */
	}
	return sum != 2016;
}
