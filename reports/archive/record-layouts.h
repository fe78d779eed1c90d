/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the records of OTF2's files consist of, as far as it must be known to find where each one
 * ends. A layout has a letter for each field:
 *
 *   4 8  a number of at most so many bytes, which its first byte says (0xff: all bits are set)
 *   b    a byte
 *   q    8 bytes
 *   s    a text up to its NUL
 *   n N  a number of the group of fields in parentheses that follows: a byte, as 4
 *   t v  the type of a value; a value of that type
 *   m    a table of numbers: how many, dense or sparse, the numbers
 *   ?    what follows is missing in records of earlier versions of OTF2
 *   !    first: the record has no length before its fields
 *   *    first: the record can be of any length, because a group, a text or a table is in it
 *
 * The facts are those of OTF2 3.0; records of later kinds say their length and are skipped.
 */
#ifndef RECORD_LAYOUTS_H
#define RECORD_LAYOUTS_H

#include <stdbool.h>

#include "file-records.h"

enum { RECORD_WITHOUT_LENGTH = '!', RECORD_IS_OPEN = '*' };

/* Where to read, up to where the file or the chunk ends. */
struct record_bytes {
	const unsigned char *at, *end;
	bool is_big_endian;
};

/* The layout of a kind of records; NULL: unknown here. */
const char *record_layout(enum file_content content, unsigned kind);

/*
 * Moves behind a number of at most `most` bytes (4 or 8); false if the bytes end before, and then
 * none is left, or if it is none.
 */
bool record_take_number(struct record_bytes *bytes, unsigned most, uint64_t *number);

/* Moves behind 8 bytes; false if there are fewer, and then none is left. */
bool record_take_long(struct record_bytes *bytes, uint64_t *number);

/*
 * Moves behind the fields of the layout, for a record that ends at `record_end`; false if the bytes
 * end before, or a number is none.
 */
bool record_take_fields(
    struct record_bytes *bytes, const char *layout, const unsigned char *record_end);

#endif
