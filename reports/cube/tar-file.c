/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements tar-file.h. */
#include "tar-file.h"

#include <inttypes.h>
#include <string.h>

#include "shared/precondition.h"

#define LARGEST_OCTAL 077777777777ULL /* 8 GiB - 1: eleven digits */

/* Fields of text: numbers are octal digits and end in a zero. */
struct header {
	char name[TAR_NAME_SIZE];
	char mode[8], user[8], group[8];
	char size[12], time[12];
	char checksum[8];
	char type;
	char link[TAR_NAME_SIZE];
	char magic[6], version[2];
	char user_name[32], group_name[32];
	char major[8], minor[8];
	char prefix[155];
	char unused[12];
};

_Static_assert(sizeof(struct header) == TAR_BLOCK, "a header is a block");

/* A size beyond the digits is a number of eleven bytes after 0x80, as GNU tar writes it. */
static void put_size(struct header *header, uint64_t size)
{
	if (size <= LARGEST_OCTAL) {
		snprintf(header->size, sizeof(header->size), "%011" PRIo64, size);
		return;
	}
	header->size[0] = (char)0x80;
	for (size_t i = 0; i < sizeof(size); i++)
		header->size[sizeof(header->size) - 1 - i] = (char)(size >> (8 * i));
}

/* The sum of all bytes, where those of the checksum count as blanks. */
static void put_checksum(struct header *header)
{
	const unsigned char *bytes = (const unsigned char *)header;
	unsigned sum = 0;

	memset(header->checksum, ' ', sizeof(header->checksum));
	for (size_t i = 0; i < sizeof(*header); i++)
		sum += bytes[i];
	snprintf(header->checksum, sizeof(header->checksum) - 1, "%06o", sum);
}

void tar_begin_file(FILE *out, const char *name, uint64_t size)
{
	struct header header = {.mode = "0000644",
	    .user = "0000000",
	    .group = "0000000",
	    .time = "00000000000",
	    .type = '0',
	    .magic = "ustar",
	    .version = {'0', '0'},
	    .major = "0000000",
	    .minor = "0000000"};

	CHECK(strlen(name) < sizeof(header.name), "the name fits into the header");
	snprintf(header.name, sizeof(header.name), "%s", name);
	put_size(&header, size);
	put_checksum(&header);
	fwrite(&header, sizeof(header), 1, out);
}

static void put_zeros(FILE *out, size_t count)
{
	static const char zeros[2 * TAR_BLOCK];

	fwrite(zeros, 1, count, out);
}

void tar_end_file(FILE *out, uint64_t size)
{
	put_zeros(out, (size_t)((TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK));
}

void tar_end(FILE *out)
{
	put_zeros(out, (size_t)2 * TAR_BLOCK);
}
