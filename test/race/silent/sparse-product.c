/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: a sparse matrix in compressed rows times a vector, several times.
 * Two loops of the same static schedule with nowait: a thread scales what it has computed itself.
 * The barrier of the second one stands before all is read as the next vector.
 */
enum { N = 1000, ROW = 3, TIMES = 8 };

static int columns[N * ROW], starts[N + 1];
static long x[N], y[N];

int main(void)
{
	int wrong = 0;

	for (int row = 0; row < N; row++) {
		starts[row + 1] = (row + 1) * ROW;
		for (int k = 0; k < ROW; k++)
			columns[row * ROW + k] = (row + k * 333) % N;
		x[row] = 1;
	}
#pragma omp parallel
	for (int time = 0; time < TIMES; time++) {
#pragma omp for schedule(static) nowait
		for (int row = 0; row < N; row++) {
			long sum = 0;

			for (int k = starts[row]; k < starts[row + 1]; k++)
				sum += x[columns[k]];
			y[row] = sum;
		}
#pragma omp for schedule(static)
		for (int row = 0; row < N; row++)
			y[row] -= 1;
#pragma omp for schedule(dynamic, 100)
		for (int row = 0; row < N; row++)
			x[row] = y[row];
	}
	long expected = 1;
	for (int time = 0; time < TIMES; time++)
		expected = ROW * expected - 1;
	for (int row = 0; row < N; row++)
		wrong += x[row] != expected;
	return wrong != 0;
}
