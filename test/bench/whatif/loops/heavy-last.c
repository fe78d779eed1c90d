/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of a build are checked; the last one is the archive of all the others. */
#include "chance.h"

#include <stdio.h>
#include <stdlib.h>

enum { FILES = 200, SMALL = 900000, LARGE = 120000000 };

static unsigned checksum(const unsigned char *bytes, int length)
{
	unsigned low = 1, high = 0;

	for (int i = 0; i < length; i++) {
		low = (low + bytes[i & 0xffff]) % 65521;
		high = (high + low) % 65521;
	}
	return high << 16 | low;
}

int main(void)
{
	unsigned char *bytes = malloc(0x10000);
	uint64_t state = 11;
	unsigned whole = 0;

	for (int i = 0; i < 0x10000; i++)
		bytes[i] = (unsigned char)chance_next(&state);
#pragma omp parallel for schedule(static) reduction(^ : whole) // @loop
	for (int file = 0; file < FILES; file++)
		whole ^= checksum(bytes, (file < FILES - 1 ? SMALL : LARGE) / 3 + file) *
			 (unsigned)(file | 1);
	printf("%u\n", whole);
	free(bytes);
	return 0;
}
