/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * true: each thread adds to one variable within a critical construct, for each element.
 */
enum { LENGTH = 1 << 15, ROUNDS = 30 };

static int values[LENGTH];
static double total;

int main(void)
{
	for (int i = 0; i < LENGTH; i++)
		values[i] = i & 1;
#pragma omp parallel
	{
		double mine = 0;

		for (int round = 0; round < ROUNDS; round++) {
#pragma omp for nowait
			for (int i = 0; i < LENGTH; i++) {
#ifdef FIXED
				mine += values[i];
#else
#pragma omp critical
				total += values[i]; /* sharing: true total */
#endif
			}
		}
#pragma omp critical
		total += mine;
	}
	return total != LENGTH / 2.0 * ROUNDS;
}
