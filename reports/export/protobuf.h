/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes messages in protobuf's wire format: fields are appended to a message in memory, and
 * messages become fields of others. Contains only what the exports need: numbers, texts, messages.
 */
#ifndef PROTOBUF_H
#define PROTOBUF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Initially all zero bytes, an empty message. */
struct protobuf {
	unsigned char *bytes;
	size_t size, room;
};

void protobuf_put_number(struct protobuf *message, unsigned field, uint64_t value);

/* The same with a fixed size of eight bytes. */
void protobuf_put_fixed(struct protobuf *message, unsigned field, uint64_t value);

/* Invalid UTF-8 becomes U+FFFD, because readers reject invalid texts. */
void protobuf_put_text(struct protobuf *message, unsigned field, const char *text);

/* Adds `inner` as a field, and empties it for reuse. */
void protobuf_put_message(struct protobuf *message, unsigned field, struct protobuf *inner);

/* Writes the message as that field of the file's top-level message, and empties it. */
void protobuf_write(FILE *out, unsigned field, struct protobuf *message);

void protobuf_free(struct protobuf *message);

#endif
