/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target: teams of a target region write one mapped element.
 * The mapped array is shared by all teams of the league (OpenMP 5.2, 10.2 and 5.8.3). In the fixed
 * one each team writes an element of its own.
 */
#include <omp.h>

int main(void)
{
	int seen[8] = {0};
	int teams = 0;

#pragma omp target teams num_teams(4) map(tofrom : seen, teams)
	{
#ifdef FIXED
		seen[omp_get_team_num()] = omp_get_team_num() + 1;
#else
		seen[0] = omp_get_team_num() + 1; /* race: write seen */
#endif
		if (omp_get_team_num() == 0)
			teams = omp_get_num_teams();
	}
	return seen[0] < 1 || seen[0] > teams;
}
