/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target: all threads of a team launch a target region that changes one mapped variable.
 * On the host device the mapped variable is the original one (OpenMP 5.2, 5.8.3), and the regions
 * are not ordered. The fixed one has the region in a single construct.
 */
int main(void)
{
	int value = 0;

#pragma omp parallel
	{
#ifdef FIXED
#pragma omp single
#endif
		{
#pragma omp target map(tofrom : value)
			value = value + 3; /* race: write value */
		}
	}
#ifdef FIXED
	return value != 3;
#else
	return value < 3;
#endif
}
