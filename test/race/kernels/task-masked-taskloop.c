/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: behind a masked taskloop the team uses what its tasks write.
 * The primary thread waits for the tasks; the others do not, and masked has no barrier (OpenMP
 * 5.2, 10.5 and 12.6). The fixed one has a barrier.
 */
static int values[120];

int main(void)
{
	int sum = 0;

#pragma omp parallel reduction(+ : sum)
	{
#pragma omp masked taskloop num_tasks(6)
		for (int i = 0; i < 120; i++)
			values[i] = i; /* race: write values */
#ifdef FIXED
#pragma omp barrier
#endif
#pragma omp for
		for (int i = 0; i < 120; i++)
			sum += values[i]; /* race: read values */
	}
	return sum != 7140;
}
