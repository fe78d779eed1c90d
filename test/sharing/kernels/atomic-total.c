/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * true: all threads add to one variable, each by an atomic update.
 */
enum { LENGTH = 1 << 16, ROUNDS = 60 };

static int values[LENGTH];
static long total;

int main(void)
{
	for (int i = 0; i < LENGTH; i++)
		values[i] = i & 1;
	for (int round = 0; round < ROUNDS; round++) {
#ifdef FIXED
#pragma omp parallel for reduction(+ : total)
		for (int i = 0; i < LENGTH; i++)
			total += values[i];
#else
#pragma omp parallel for
		for (int i = 0; i < LENGTH; i++) {
			if (values[i])
#pragma omp atomic
				total++; /* sharing: true total */
		}
#endif
	}
	return total != (long)LENGTH / 2 * ROUNDS;
}
