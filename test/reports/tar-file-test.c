/* SPDX-License-Identifier: BSD-3-Clause */
/* Headers of a tar archive: fields at their places, sizes with and without octal digits. */
#include "tar-file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { AT_SIZE = 124, AT_TIME = 136, AT_SUM = 148, AT_TYPE = 156, AT_MAGIC = 257 };

static int failures;

static void expect(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "FAIL: %s\n", what);
	failures++;
}

/* The sum that the header has, and the one that its bytes have. */
static bool sum_fits(const unsigned char *header)
{
	unsigned long sum = 8 * ' ';

	for (int i = 0; i < TAR_BLOCK; i++)
		sum += i >= AT_SUM && i < AT_SUM + 8 ? 0 : header[i];
	return strtoul((const char *)header + AT_SUM, NULL, 8) == sum;
}

static void read_header(uint64_t size, unsigned char header[TAR_BLOCK])
{
	FILE *file = tmpfile();

	expect(file, "tmpfile()");
	if (!file)
		exit(1);
	tar_begin_file(file, "7.data", size);
	expect(ftell(file) == TAR_BLOCK, "a header is a block");
	rewind(file);
	expect(fread(header, TAR_BLOCK, 1, file) == 1, "fread()");
	fclose(file);
	expect(sum_fits(header), "checksum");
}

int main(void)
{
	static const unsigned char large[12] = {
	    0x80, 0, 0, 0, 0, 0, 0, 0x12, 0x34, 0x56, 0x78, 0x9a};
	unsigned char header[TAR_BLOCK];

	read_header(1000, header);
	expect(strcmp((char *)header, "7.data") == 0, "name");
	expect(strcmp((char *)header + AT_SIZE, "00000001750") == 0, "size of 1000");
	expect(strcmp((char *)header + AT_TIME, "00000000000") == 0, "time");
	expect(header[AT_TYPE] == '0', "type");
	expect(memcmp(header + AT_MAGIC,
		   "ustar\0"
		   "00",
		   8) == 0,
	    "mark");
	read_header(077777777777, header);
	expect(strcmp((char *)header + AT_SIZE, "77777777777") == 0, "the largest octal size");
	read_header(0x123456789a, header);
	expect(memcmp(header + AT_SIZE, large, sizeof(large)) == 0, "a size beyond 8 GiB");
	return failures > 0;
}
