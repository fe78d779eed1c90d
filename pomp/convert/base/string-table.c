/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of strings: every text gets one dense number, in the order in which they come. */
#include "string-table.h"

#include "shared/text-hash.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static size_t find_slot(const struct convert_strings *strings, const char *text)
{
	size_t slot = text_hash(TEXT_HASH_START, text) & (strings->slot_count - 1);

	while (
	    strings->slot[slot] != 0 && strcmp(strings->text[strings->slot[slot] - 1], text) != 0)
		slot = (slot + 1) & (strings->slot_count - 1);
	return slot;
}

static bool grow(struct convert_strings *strings)
{
	size_t capacity = strings->capacity == 0 ? 64 : strings->capacity * 2;
	char **text = realloc(strings->text, capacity * sizeof(char *));

	if (text == NULL)
		return false;
	strings->text = text;
	uint32_t *slot = calloc(capacity * 2, sizeof(*slot));
	if (slot == NULL)
		return false;
	free(strings->slot);
	strings->slot = slot;
	strings->slot_count = capacity * 2;
	strings->capacity = capacity;
	for (uint32_t i = 0; i < strings->count; i++)
		slot[find_slot(strings, text[i])] = i + 1;
	return true;
}

uint32_t convert_strings_place(struct convert_strings *strings, const char *text)
{
	if (strings->count == strings->capacity && !grow(strings))
		return UINT32_MAX;
	size_t slot = find_slot(strings, text);
	if (strings->slot[slot] == 0) {
		char *copy = strdup(text);
		if (copy == NULL)
			return UINT32_MAX;
		strings->text[strings->count++] = copy;
		strings->slot[slot] = (uint32_t)strings->count;
	}
	return strings->slot[slot] - 1;
}

void convert_strings_free(struct convert_strings *strings)
{
	for (size_t i = 0; i < strings->count; i++)
		free(strings->text[i]);
	free(strings->text);
	free(strings->slot);
}
