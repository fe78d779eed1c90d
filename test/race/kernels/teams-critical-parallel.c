/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * teams: threads of all teams count in one variable, within a critical construct.
 * The construct orders the threads of each team, and not the teams (OpenMP 5.2, 15.2). In the fixed
 * program each team has a counter of its own.
 */
#include <omp.h>

static int counts[8];

int main(void)
{
	int all = 0;

#pragma omp teams num_teams(3) shared(counts)
	{
#ifdef FIXED
		int *count = &counts[omp_get_team_num()];
#else
		int *count = &counts[0];
#endif
#pragma omp parallel num_threads(3)
		{
#pragma omp critical(counting)
			*count += 1; /* race: write *count */
		}
	}
	for (int i = 0; i < 8; i++)
		all += counts[i];
	return all < 1;
}
