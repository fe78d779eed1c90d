/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chunk: a sieve whose flags are bytes, taken one by one from a dynamic schedule again and again.
 */
enum { FLAGS = 4096, ROUNDS = 2000 };
#ifdef FIXED
enum { CHUNK = 512 };
#else
enum { CHUNK = 1 };
#endif

static _Alignas(64) unsigned char flags[FLAGS]; /* a chunk begins with a line */

int main(void)
{
	int set = 0;

#pragma omp parallel
	for (int round = 0; round < ROUNDS; round++) {
#pragma omp for schedule(static, CHUNK) nowait
		for (int i = 0; i < FLAGS; i++) {
			volatile unsigned char *const mine = &flags[i];

			for (int divisor = 2; divisor < 9; divisor++)
				*mine ^= i % divisor == 0; /* sharing: false flags */
		}
	}
	for (int i = 0; i < FLAGS; i++)
		set += flags[i];
	return set != 0;
}
