/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * teams: a loop construct over a league, whose iterations collect in one element.
 * With bind(teams) the iterations are executed by all teams, in any order and at once (OpenMP
 * 5.2, 11.7.1). The fixed one reduces.
 */
#ifdef FIXED
#define LARGEST reduction(max : largest)
#else
#define LARGEST shared(largest)
#endif

int main(void)
{
	int largest = 0;

#pragma omp teams loop num_teams(4) LARGEST
	for (int i = 0; i < 400; i++) {
		int value = i * 13 % 400;
		int now = largest;                   /* race: read largest */
		largest = value > now ? value : now; /* race: write largest */
	}
	return largest != 399;
}
