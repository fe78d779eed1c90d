/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: a product with a sparse matrix whose entries are sorted by rows, one loop over
 * entries. Several entries add to one row. The fixed one adds atomically.
 */
enum { ROWS = 240, EACH = 4, N = ROWS * EACH };

static int row[N], sums[ROWS];

int main(void)
{
	int wrong = 0;

	for (int k = 0; k < N; k++)
		row[k] = k / EACH;
#pragma omp parallel for
	for (int k = 0; k < N; k++)
#ifdef FIXED
#pragma omp atomic
#endif
		sums[row[k]] += 1; /* race: write sums */
	for (int i = 0; i < ROWS; i++)
		wrong += sums[i] != EACH;
#ifdef FIXED
	return wrong != 0;
#else
	return wrong < 0;
#endif
}
