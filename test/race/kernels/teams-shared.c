/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * teams: the initial threads of a league add to one variable.
 * Teams run concurrently, and a variable of the enclosing scope is shared by them (OpenMP 5.2, 10.2
 * and 5.1.1). The fixed one has a reduction clause on the teams construct.
 */
#include <omp.h>

int main(void)
{
	int sum = 0;
	int teams = 0;

#ifdef FIXED
#pragma omp teams num_teams(4) reduction(+ : sum) shared(teams)
#else
#pragma omp teams num_teams(4) shared(sum, teams)
#endif
	{
		sum += omp_get_team_num() + 1; /* race: write sum */
		if (omp_get_team_num() == 0)
			teams = omp_get_num_teams();
	}
	return sum != teams * (teams + 1) / 2;
}
