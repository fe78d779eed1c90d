/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writing messages in protobuf's wire format: fields are appended to a message in memory, messages
 * become fields of others. Only what the exports need: numbers, texts, messages.
 */
#ifndef PROTOBUF_H
#define PROTOBUF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* All zero bytes is an empty message. */
struct protobuf {
	unsigned char *bytes;
	size_t size, room;
};

void protobuf_put_number(struct protobuf *message, unsigned field, uint64_t value);

/* The same of fixed size: eight bytes. */
void protobuf_put_fixed(struct protobuf *message, unsigned field, uint64_t value);

/* Bytes that are no valid UTF-8 become U+FFFD, as readers reject texts that have them. */
void protobuf_put_text(struct protobuf *message, unsigned field, const char *text);

/* Adds `inner` as a field, and empties it for the next use. */
void protobuf_put_message(struct protobuf *message, unsigned field, struct protobuf *inner);

/* Writes the message as such a field of the file's own message, and empties it. */
void protobuf_write(FILE *out, unsigned field, struct protobuf *message);

void protobuf_free(struct protobuf *message);

#endif
