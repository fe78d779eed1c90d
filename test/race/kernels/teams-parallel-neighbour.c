/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * teams: distribute parallel for, where an iteration reads the element after its own.
 * The last iteration of a team reads the first element of the next one (OpenMP 5.2, 11.6). The
 * fixed one writes to another array.
 */
enum { N = 200 };

static int line[N], next[N];

int main(void)
{
	int wrong = 0;

	for (int i = 0; i < N; i++)
		line[i] = i;
#pragma omp teams distribute parallel for num_teams(4) num_threads(2)
	for (int i = 0; i < N - 1; i++) {
#ifdef FIXED
		next[i] = line[i + 1];
#else
		line[i] = line[i + 1]; /* race: write line */ /* race: read line */
#endif
	}
	for (int i = 0; i < N; i++)
		wrong += next[i] < 0;
	return wrong != 0;
}
