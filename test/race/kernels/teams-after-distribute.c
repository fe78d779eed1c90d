/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * teams: after a distribute construct each team reads what another one has computed.
 * There is no barrier at the end of distribute, and none for teams at all (OpenMP 5.2, 11.6). The
 * fixed program reads in a second league.
 */
#include <omp.h>

enum { N = 120 };

static int part[N], border[8];

int main(void)
{
	int wrong = 0;

#pragma omp teams num_teams(4)
	{
#pragma omp distribute
		for (int i = 0; i < N; i++)
			part[i] = i + 1; /* race: write part */
#ifdef FIXED
	}
#pragma omp teams num_teams(4)
	{
#endif
		int next = (omp_get_team_num() + 1) % omp_get_num_teams();
		border[omp_get_team_num()] =
		    part[next * N / omp_get_num_teams()]; /* race: read part */
	}
	for (int i = 0; i < N; i++)
		wrong += part[i] != i + 1;
	return wrong != 0;
}
