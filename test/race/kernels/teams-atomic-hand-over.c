/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * teams: a team publishes a value, and others use it if they see the flag.
 * A relaxed atomic flag orders nothing but itself (OpenMP 5.2, 1.4.4 and 15.8.4). The fixed one has
 * release and acquire, which hold between teams, too.
 */
#include <omp.h>

#ifdef FIXED
#define WRITE atomic write release
#define READ  atomic read acquire
#else
#define WRITE atomic write relaxed
#define READ  atomic read relaxed
#endif
#define PRAGMA(text) _Pragma(#text)
#define OMP(words)   PRAGMA(omp words)

static int value, ready, seen[8];

int main(void)
{
#pragma omp teams num_teams(4)
#pragma omp parallel num_threads(1)
	{
		int team = omp_get_team_num(), is_ready;

		if (team == 0) {
			value = 5; /* race: write value */
			OMP(WRITE)
			ready = 1;
		} else {
			OMP(READ)
			is_ready = ready;
			if (is_ready)
				seen[team] = value; /* race: read value */
		}
	}
	return value != 5;
}
