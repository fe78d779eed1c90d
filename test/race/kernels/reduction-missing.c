/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduction: a sum over a worksharing loop without reduction clause.
 * The sum is shared, and each addition reads and writes it (OpenMP 5.2, 5.1.1). The fixed one has
 * the clause (5.5.8).
 */
int main(void)
{
	double sum = 0;

#ifdef FIXED
#pragma omp parallel for reduction(+ : sum)
#else
#pragma omp parallel for
#endif
	for (int i = 0; i < 1000; i++)
		sum += 0.5 * i; /* race: write sum */
	return sum != 249750;
}
