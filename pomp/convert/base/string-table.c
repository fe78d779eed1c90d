/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of strings: every text gets one dense number, in the order of first use. */
#include "string-table.h"

#include "shared/array.h"
#include "shared/text-hash.h"

#include <stdlib.h>
#include <string.h>

uint32_t convert_strings_place(struct convert_strings *strings, const char *text)
{
	uint64_t hash = text_hash(TEXT_HASH_START, text);

	for (size_t at = map_first(&strings->places, hash); at != MAP_END;
	     at = map_next(&strings->places, hash, at))
		if (strcmp(strings->text[map_value(&strings->places, at)], text) == 0)
			return (uint32_t)map_value(&strings->places, at);
	char *copy = strdup(text);
	if (copy == NULL || !ARRAY_ROOM(strings->text, strings->count, strings->capacity, 1) ||
	    !map_add(&strings->places, hash, strings->count)) {
		free(copy);
		return UINT32_MAX;
	}
	strings->text[strings->count] = copy;
	return (uint32_t)strings->count++;
}

void convert_strings_free(struct convert_strings *strings)
{
	for (size_t i = 0; i < strings->count; i++)
		free(strings->text[i]);
	free(strings->text);
	map_free(&strings->places);
}
