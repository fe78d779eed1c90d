/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of strings: every text gets one dense number, in the order of first use. */
#ifndef STRING_TABLE_H
#define STRING_TABLE_H

#include "shared/hash-map.h"

#include <stddef.h>
#include <stdint.h>

struct convert_strings {
	char **text; /* owned by the caller */
	size_t count, capacity;
	struct map places; /* by the text's hash */
};

/* Returns the text's number, from 0; UINT32_MAX when memory ran out. */
uint32_t convert_strings_place(struct convert_strings *strings, const char *text);
void convert_strings_free(struct convert_strings *strings);

#endif
