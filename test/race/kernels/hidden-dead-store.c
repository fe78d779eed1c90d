/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hidden: threads write a shared variable whose value is not used until the next write.
 * The compiler may leave such a write away, but the program has the race (OpenMP 5.2, 1.4.1). The
 * fixed one has a variable for each thread.
 */
int main(void)
{
	long sum = 0;
#ifndef FIXED
	int latest;
#endif

#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 400; i++) {
#ifdef FIXED
		int latest;
#endif
		latest = i; /* race: write latest */
		sum += i;
		latest = 0; /* race: write latest */
		(void)latest;
	}
	return sum != 79800;
}
