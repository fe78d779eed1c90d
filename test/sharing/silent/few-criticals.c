/* SPDX-License-Identifier: BSD-3-Clause */
/* silent: a sum of each thread, added to the shared one once for each loop: transfers that cost
 * nothing to speak of. */
enum { LENGTH = 1 << 20, ROUNDS = 20 };

static int values[LENGTH];
static long total;

int main(void)
{
	for (int i = 0; i < LENGTH; i++)
		values[i] = 1;
#pragma omp parallel
	for (int round = 0; round < ROUNDS; round++) {
		long mine = 0;

#pragma omp for nowait
		for (int i = 0; i < LENGTH; i++)
			mine += values[i];
#pragma omp critical
		total += mine;
	}
	return total != (long)LENGTH * ROUNDS;
}
