/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * teams: a team reads what the team before it has written.
 * There is no synchronization among the teams of a league (OpenMP 5.2, 10.2). The fixed one
 * has two leagues: at the end of the first one all teams are done.
 */
#include <omp.h>

static int parts[8];

int main(void)
{
	int wrong = 0;

#ifdef FIXED
#pragma omp teams num_teams(4)
	parts[omp_get_team_num()] = 1;
#endif
#pragma omp teams num_teams(4) reduction(+ : wrong)
	{
		int self = omp_get_team_num();

#ifndef FIXED
		parts[self] = 1; /* race: write parts */
#endif
		if (self > 0)
			wrong += parts[self - 1] != 1; /* race: read parts */
	}
	return wrong != 0;
}
