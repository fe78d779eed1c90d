/* SPDX-License-Identifier: BSD-3-Clause */
/* silent: bandwidth: each thread reads and writes its own part of large arrays. Nothing is shared
 * but the parts' borders. */
enum { LENGTH = 1 << 21, ROUNDS = 6 };

static double a[LENGTH], b[LENGTH], c[LENGTH];

int main(void)
{
	for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel for schedule(static)
		for (int i = 0; i < LENGTH; i++)
			a[i] = b[i] + 0.5 * c[i] + 1;
	}
	return a[LENGTH / 2] != 1;
}
