/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * teams: the iterations of distribute parallel for add to one variable in a critical construct.
 * It excludes the threads of one contention group only, and each team is one (OpenMP 5.2, 1.2.2 and
 * 15.2). The fixed one has a reduction.
 */
#ifdef FIXED
#define SUM reduction(+ : sum)
#else
#define SUM shared(sum)
#endif

int main(void)
{
	int sum = 0;

#pragma omp teams distribute parallel for num_teams(4) num_threads(2) SUM
	for (int i = 1; i <= 64; i++) {
#pragma omp critical
		sum += i; /* race: write sum */
	}
	return sum < 1;
}
