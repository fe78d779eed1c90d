/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: one iteration reads what the one three before it writes.
 * Its result depends on whether that has been executed (OpenMP 5.2, 11.5). The fixed one reads from
 * the array that the loop leaves alone.
 */
enum { N = 1000, PLACE = 88, DISTANCE = 3 };

static int before[N], after[N];

int main(void)
{
	int wrong = 0;

	for (int i = 0; i < N; i++)
		before[i] = after[i] = i;
#pragma omp parallel for
	for (int i = 0; i < N; i++) {
		int value = i + 1;
		if (i == PLACE)
#ifdef FIXED
			value += before[i - DISTANCE];
#else
			value += after[i - DISTANCE]; /* race: read after */
#endif
		after[i] = value; /* race: write after */
	}
	for (int i = 0; i < N; i++)
		wrong += i != PLACE && after[i] != i + 1;
	return wrong != 0;
}
