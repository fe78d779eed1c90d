/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The encoding of protobuf.h: a field is its number and wire type, followed by a number in groups
 * of seven bits, by eight bytes, or by a length and that many bytes. Generating code from a schema
 * would need a compiler and a library for these few forms.
 */
#include "protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "memory.h"

#define NUMBER_BYTES_MAX ((size_t)10)

enum wire_type { WIRE_NUMBER = 0, WIRE_FIXED = 1, WIRE_BYTES = 2 };

static size_t encode(unsigned char *to, uint64_t value)
{
	size_t length = 0;

	for (; value >= 0x80; value >>= 7)
		to[length++] = (unsigned char)(value | 0x80);
	to[length++] = (unsigned char)value;
	return length;
}

static size_t encode_head(unsigned char *to, unsigned field, enum wire_type type, uint64_t value)
{
	size_t length = encode(to, (uint64_t)field << 3 | type);

	return length + encode(to + length, value);
}

static unsigned char *make_room(struct protobuf *message, size_t bytes)
{
	message->bytes = memory_grow(message->bytes, &message->room, message->size + bytes, 1);
	return message->bytes + message->size;
}

void protobuf_put_number(struct protobuf *message, unsigned field, uint64_t value)
{
	message->size +=
	    encode_head(make_room(message, 2 * NUMBER_BYTES_MAX), field, WIRE_NUMBER, value);
}

void protobuf_put_fixed(struct protobuf *message, unsigned field, uint64_t value)
{
	unsigned char *to = make_room(message, NUMBER_BYTES_MAX + sizeof(value));
	size_t head = encode(to, (uint64_t)field << 3 | WIRE_FIXED);

	for (size_t i = 0; i < sizeof(value); i++)
		to[head + i] = (unsigned char)(value >> 8 * i);
	message->size += head + sizeof(value);
}

static void put_bytes(
    struct protobuf *message, unsigned field, const unsigned char *bytes, size_t size)
{
	unsigned char *to = make_room(message, 2 * NUMBER_BYTES_MAX + size);
	size_t head = encode_head(to, field, WIRE_BYTES, size);

	if (size > 0)
		memcpy(to + head, bytes, size);
	message->size += head + size;
}

void protobuf_put_text(struct protobuf *message, unsigned field, const char *text)
{
	static const char replacement[] = UTF8_REPLACEMENT_TEXT;
	struct protobuf valid = {0};
	const char *start = text;
	uint32_t character;

	while ((character = utf8_next(&text))) {
		bool invalid = character == UTF8_REPLACEMENT;
		size_t length = invalid ? strlen(replacement) : (size_t)(text - start);

		memcpy(make_room(&valid, length), invalid ? replacement : start, length);
		valid.size += length;
		start = text;
	}
	put_bytes(message, field, valid.bytes, valid.size);
	free(valid.bytes);
}

void protobuf_put_message(struct protobuf *message, unsigned field, struct protobuf *inner)
{
	put_bytes(message, field, inner->bytes, inner->size);
	inner->size = 0;
}

void protobuf_write(FILE *out, unsigned field, struct protobuf *message)
{
	unsigned char head[2 * NUMBER_BYTES_MAX];
	size_t length = encode_head(head, field, WIRE_BYTES, message->size);

	fwrite(head, 1, length, out);
	fwrite(message->bytes, 1, message->size, out);
	message->size = 0;
}

void protobuf_free(struct protobuf *message)
{
	free(message->bytes);
	*message = (struct protobuf){0};
}
