/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of variable length and texts as a sequence of bytes. */
#include "bytes.h"

#include <string.h>

#include "memory.h"

static void put_byte(struct bytes *bytes, unsigned byte)
{
	bytes->data = memory_grow(bytes->data, &bytes->room, bytes->count + 1, 1);
	bytes->data[bytes->count++] = (unsigned char)byte;
}

void bytes_put(struct bytes *bytes, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		put_byte(bytes, (unsigned)(number & 0x7f) | 0x80);
	put_byte(bytes, (unsigned)number);
}

uint64_t bytes_get(struct bytes *bytes)
{
	uint64_t number = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		unsigned byte;

		if (bytes->at == bytes->count)
			break;
		byte = bytes->data[bytes->at++];
		number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return number;
	}
	bytes->broken = true;
	return 0;
}

void bytes_number(struct bytes *bytes, uint64_t *number)
{
	if (bytes->reads)
		*number = bytes_get(bytes);
	else
		bytes_put(bytes, *number);
}

void bytes_signed(struct bytes *bytes, uint64_t *number)
{
	uint64_t folded = *number >> 63 ? ~(*number << 1) : *number << 1;

	bytes_number(bytes, &folded);
	*number = folded & 1 ? ~(folded >> 1) : folded >> 1;
}

/* A text is its length + 1 (0: NULL) and its characters. */
void bytes_text(struct bytes *bytes, const char **text)
{
	uint64_t length = !bytes->reads && *text ? strlen(*text) + 1 : 0;
	char *copy;

	bytes_number(bytes, &length);
	if (!bytes->reads) {
		for (uint64_t i = 0; i + 1 < length; i++)
			put_byte(bytes, (unsigned char)(*text)[i]);
		return;
	}
	*text = bytes->broken ? "" : NULL;
	if (length == 0)
		return;
	if (length - 1 > bytes->count - bytes->at) {
		bytes->broken = true;
		*text = "";
		return;
	}
	copy = memory_new(length, 1);
	memcpy(copy, bytes->data + bytes->at, length - 1);
	bytes->at += length - 1;
	*text = copy;
}

void bytes_count(struct bytes *bytes, size_t *count)
{
	uint64_t number = *count;

	bytes_number(bytes, &number);
	if (bytes->reads && number > bytes->count - bytes->at) {
		bytes->broken = true;
		number = 0;
	}
	*count = (size_t)number;
}
