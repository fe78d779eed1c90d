/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * teams: the first team sets a factor that all teams use in a distribute construct.
 * Nothing makes the other teams wait for it (OpenMP 5.2, 10.2). The fixed program sets the factor
 * before the league.
 */
#include <omp.h>

enum { N = 90 };

static int scaled[N], factor;

int main(void)
{
	int sum = 0;

#ifdef FIXED
	factor = 3;
#endif
#pragma omp teams num_teams(3)
	{
#ifndef FIXED
		if (omp_get_team_num() == 0)
			factor = 3; /* race: write factor */
#endif
#pragma omp distribute
		for (int i = 0; i < N; i++)
			scaled[i] = factor * i; /* race: read factor */
	}
	for (int i = 0; i < N; i++)
		sum += scaled[i];
	return sum < 0;
}
