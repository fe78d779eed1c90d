/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: the master thread sets a value that the others read behind the region.
 * A master region has no barrier at its end (OpenMP 5.2, 10.5). The fixed one has one there.
 */
int main(void)
{
	int limit = 0;
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	{
#pragma omp master
		limit = 100; /* race: write limit */
#ifdef FIXED
#pragma omp barrier
#endif
		wrong += limit != 100; /* race: read limit */
	}
	return wrong != 0;
}
