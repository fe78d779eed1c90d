/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * teams: a sum over a combined distribute parallel for, reduced for each team only.
 * The reduction clause of the inner construct gives each thread a copy, and adds to the
 * team's variable, which is that of all teams here (OpenMP 5.2, 5.5.8). The fixed one has the
 * clause on teams as well.
 */
int main(void)
{
	long sum = 0;

#ifdef FIXED
#pragma omp teams num_teams(3) reduction(+ : sum)
#else
#pragma omp teams num_teams(3) shared(sum)
#endif
	{
		long of_team = 0;

#pragma omp distribute parallel for reduction(+ : of_team)
		for (int i = 0; i < 300; i++)
			of_team += i;
		sum += of_team; /* race: write sum */
	}
	return sum != 44850;
}
