/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of a large array by pieces of a page, bound by memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 4096, PIECES = 24000, ROUNDS = 24 };

int main(void)
{
	unsigned char *from = malloc((size_t)PIECE * PIECES), *to = malloc((size_t)PIECE * PIECES);
	unsigned sum = 0;

#pragma omp parallel for
	for (int i = 0; i < PIECES; i++) {
		memset(from + (size_t)i * PIECE, i, PIECE);
		memset(to + (size_t)i * PIECE, 0, PIECE);
	}
	for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel for schedule(static) // @loop
		for (int i = 0; i < PIECES; i++)
			memcpy(to + (size_t)i * PIECE, from + (size_t)i * PIECE, PIECE);
		unsigned char *other = from;
		from = to;
		to = other;
	}
	for (int i = 0; i < PIECES; i++)
		sum += to[(size_t)i * PIECE + 77];
	printf("%u\n", sum);
	free(from), free(to);
	return 0;
}
