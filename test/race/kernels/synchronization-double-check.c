/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: whether a table is filled is asked outside of the critical region first.
 * That read is not ordered with the write inside, nor are the reads of the table behind it
 * (OpenMP 5.2, 1.4.1 and 15.2). The fixed one reads and writes the flag atomically with acquire
 * and release (15.8.1), so that a thread that sees it set sees the table.
 */
static int table[10];
static int filled;

static int value_at(int index)
{
	int seen;

#ifdef FIXED
#pragma omp atomic read acquire
#endif
	seen = filled; /* race: read filled */
	if (!seen)
#pragma omp critical
	{
		if (!filled) {
			for (int i = 0; i < 10; i++)
				table[i] = 5 * i; /* race: write table */
#ifdef FIXED
#pragma omp atomic write release
#endif
			filled = 1; /* race: write filled */
		}
	}
	return table[index]; /* race: read table */
}

int main(void)
{
	int sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 1000; i++)
		sum += value_at(i % 10);
	return sum != 22500;
}
