/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * teams: the iterations of a distribute construct use their neighbour's element.
 * They are distributed over teams that have no order (OpenMP 5.2, 11.6). The fixed one writes
 * another array.
 */
enum { N = 240 };

static int line[N], next[N];

int main(void)
{
	int wrong = 0;

	for (int i = 0; i < N; i++)
		line[i] = i;
#pragma omp teams num_teams(3) shared(line, next)
#pragma omp distribute
	for (int i = 0; i < N - 1; i++) {
#ifdef FIXED
		next[i] = line[i + 1];
#else
		line[i] = line[i + 1]; /* race: write line */ /* race: read line */
		next[i] = line[i];
#endif
	}
	for (int i = 0; i < N - 1; i++)
		wrong += next[i] != i + 1;
	return wrong != 0;
}
