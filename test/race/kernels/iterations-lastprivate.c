/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: a loop with lastprivate in which one iteration reads its neighbour's result.
 * The variable has the value of the last iteration after the loop, however the iterations are
 * divided. The fixed one reads what is there before the loop.
 */
enum { N = 500, PLACE = 77 };

static int first[N], squares[N];

int main(void)
{
	int wrong = 0, last = -1;

#pragma omp parallel for lastprivate(last)
	for (int i = 0; i < N; i++) {
		last = i * i;
		if (i == PLACE)
#ifdef FIXED
			last += first[i - 1];
#else
			last += squares[i - 1]; /* race: read squares */
#endif
		squares[i] = last; /* race: write squares */
	}
	for (int i = 0; i < N; i++)
		wrong += i != PLACE && squares[i] != i * i;
	return wrong != 0 || last != (N - 1) * (N - 1);
}
