/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers and texts as bytes. The same calls write and read them, so that one function can do both
 * for a structure. A reader never reads past the end: there it gets 0 and "", and sets `broken`.
 */
#ifndef BYTES_H
#define BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
	unsigned char *data; /* a writer's own, which the caller frees */
	size_t count, room;
	size_t at; /* the reader's position */
	bool reads, broken;
};

void bytes_put(struct bytes *bytes, uint64_t number);
uint64_t bytes_get(struct bytes *bytes);

/* Writes *number, or reads it. */
void bytes_number(struct bytes *bytes, uint64_t *number);

/* The same for a signed number modulo 2^64, stored as 0, -1, 1, -2, ... */
void bytes_signed(struct bytes *bytes, uint64_t *number);

/* The same for any assignable integer, bool or enumeration. */
#define BYTES_NUMBER(bytes, field)                                                                 \
	do {                                                                                       \
		uint64_t bytes_value = (uint64_t)(field);                                          \
		bytes_number((bytes), &bytes_value);                                               \
		(field) = (__typeof__(field))bytes_value;                                          \
	} while (0)

/* The same for a text, which may be NULL; a text that is read is new memory. */
void bytes_text(struct bytes *bytes, const char **text);

/*
 * The same for a number of elements. A count that is read is checked against the remaining bytes,
 * so that a broken one does not cause a large allocation.
 */
void bytes_count(struct bytes *bytes, size_t *count);

#endif
