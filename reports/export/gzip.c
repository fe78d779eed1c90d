/* SPDX-License-Identifier: BSD-3-Clause */
/* A header, stored blocks of at most 65,535 bytes, and the checksum of all bytes. */
#include "gzip.h"

#include <stdint.h>

#include "shared/checksum.h"

enum { BLOCK_MAX = 65535 };

static void put_number(FILE *out, uint32_t number, int bytes)
{
	for (int i = 0; i < bytes; i++)
		fputc((int)(number >> 8 * i & 0xff), out);
}

void gzip_write(FILE *out, const unsigned char *bytes, size_t size)
{
	/* Compressed by deflate; no name, no time; made by an unknown system. */
	static const unsigned char head[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255};
	size_t at = 0;

	fwrite(head, 1, sizeof(head), out);
	do {
		size_t block = size - at < BLOCK_MAX ? size - at : BLOCK_MAX;

		fputc(at + block == size ? 1 : 0, out);
		put_number(out, (uint32_t)block, 2);
		put_number(out, ~(uint32_t)block, 2);
		fwrite(bytes + at, 1, block, out);
		at += block;
	} while (at < size);
	put_number(out, checksum_crc32(bytes, size), 4);
	put_number(out, (uint32_t)size, 4);
}
