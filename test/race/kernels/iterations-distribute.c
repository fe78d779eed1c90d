/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: teams distribute parallel for in one team, with a conflict of one pair.
 * The fixed one has none.
 */
enum { N = 900, PLACE = 410 };

static int level[N + 1];

int main(void)
{
	int wrong = 0;

#pragma omp teams distribute parallel for num_teams(1)
	for (int i = 0; i < N; i++) {
		level[i] = 4; /* race: write level */
#ifndef FIXED
		if (i == PLACE)
			level[i + 1] = 4; /* race: write level */
#endif
	}
	for (int i = 0; i < N; i++)
		wrong += level[i] != 4;
	return wrong != 0;
}
