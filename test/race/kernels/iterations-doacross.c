/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: each iteration waits for the one two before it, and one uses its neighbour.
 * The odd and the even iterations are two chains without an order between them
 * (OpenMP 5.2, 15.9.6). The fixed one uses the element for which it has waited.
 */
enum { N = 400, PLACE = 161 };

static int chain[N], seen;

int main(void)
{
	int wrong = 0;

#pragma omp parallel for ordered(1)
	for (int i = 2; i < N; i++) {
#pragma omp ordered depend(sink : i - 2)
		int value = chain[i - 2] + 1;
#ifndef FIXED
		if (i == PLACE)
			seen = chain[i - 1]; /* race: read chain */
#endif
		chain[i] = value; /* race: write chain */
#pragma omp ordered depend(source)
	}
	for (int i = 2; i < N; i++)
		wrong += chain[i] != i / 2;
	return wrong != 0 || seen > N;
}
