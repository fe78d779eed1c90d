/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: two sections use one variable for an intermediate value.
 * Sections may be executed by different threads at the same time (OpenMP 5.2, 11.3). The fixed
 * construct makes the variable private.
 */
int main(void)
{
	int area = 0, volume = 0;
	int product;

#ifdef FIXED
#pragma omp parallel sections private(product)
#else
#pragma omp parallel sections
#endif
	{
#pragma omp section
		{
			product = 6 * 7; /* race: write product */
			area = product;  /* race: read product */
		}
#pragma omp section
		{
			product = 2 * 3 * 4; /* race: write product */
			volume = product;    /* race: read product */
		}
	}
	return area != 42 || volume != 24;
}
