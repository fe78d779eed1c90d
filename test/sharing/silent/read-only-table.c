/* SPDX-License-Identifier: BSD-3-Clause */
/* silent: a table that one thread fills and all read. */
enum { LENGTH = 1 << 20, TABLE = 256, ROUNDS = 10 };

static int table[TABLE];

int main(void)
{
	long sum = 0;

	for (int i = 0; i < TABLE; i++)
		table[i] = i;
	for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel for reduction(+ : sum)
		for (int i = 0; i < LENGTH; i++)
			sum += table[i % TABLE];
	}
	return sum != (long)ROUNDS * (LENGTH / TABLE) * (TABLE * (TABLE - 1) / 2);
}
