/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: one thread fills a table in a single region with nowait, all others read it.
 * nowait removes the barrier that would order the reads behind the writes (OpenMP 5.2, 11.1 and
 * 15.6). The fixed one keeps it.
 */
static int table[32];

int main(void)
{
	long sum = 0;

#pragma omp parallel reduction(+ : sum)
	{
#ifdef FIXED
#pragma omp single
#else
#pragma omp single nowait
#endif
		for (int i = 0; i < 32; i++)
			table[i] = i; /* race: write table */
#pragma omp for
		for (int i = 0; i < 3200; i++)
			sum += table[i % 32]; /* race: read table */
	}
	return sum != 49600;
}
