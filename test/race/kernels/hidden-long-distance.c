/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hidden: a dependence that lies further apart than the share of a thread in small teams.
 * Each thread of two or three writes what it reads itself; from four threads on the element belongs
 * to another one (OpenMP 5.2, 11.5.3: chunks of equal size). The fixed one reads another array.
 */
enum { N = 1200 };

static int values[N], source[N];

int main(void)
{
	int wrong = 0;

	for (int i = 0; i < N; i++)
		values[i] = source[i] = i;
#pragma omp parallel for schedule(static)
	for (int i = 0; i < N; i++) {
		if (i == 390)
#ifdef FIXED
			values[i] = source[10];
#else
			values[i] = values[10]; /* race: read values */
#endif
		else
			values[i] += 1; /* race: write values */
	}
	for (int i = 0; i < N; i++)
		wrong += i != 390 && values[i] != i + 1;
	return wrong != 0;
}
