/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers and texts as bytes, written and read by the same calls: so that what writes a structure
 * and what reads it is one function. A reader's end is not passed: reading there gives 0 and "",
 * and sets `broken`.
 */
#ifndef BYTES_H
#define BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
	unsigned char *data; /* of a writer: its own, freed by the caller */
	size_t count, room;
	size_t at; /* of a reader */
	bool reads, broken;
};

void bytes_put(struct bytes *bytes, uint64_t number);
uint64_t bytes_get(struct bytes *bytes);

/* Writes *number, or reads it. */
void bytes_number(struct bytes *bytes, uint64_t *number);

/* The same of a signed number modulo 2^64, as 0, -1, 1, -2, ... */
void bytes_signed(struct bytes *bytes, uint64_t *number);

/* The same of any integer, bool or enumeration that can be assigned to. */
#define BYTES_NUMBER(bytes, field)                                                                 \
	do {                                                                                       \
		uint64_t bytes_value = (uint64_t)(field);                                          \
		bytes_number((bytes), &bytes_value);                                               \
		(field) = (__typeof__(field))bytes_value;                                          \
	} while (0)

/* The same of a text, NULL included; what was read is new memory. */
void bytes_text(struct bytes *bytes, const char **text);

/*
 * A number of elements: *count, written, or read and checked against what is left, so that a broken
 * one does not become a large allocation.
 */
void bytes_count(struct bytes *bytes, size_t *count);

#endif
