/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * This is not the shared hash map: consecutive numbers have adjacent slots, because they are looked
 * up in that order, many millions of times in a long run; and a value is changed in place.
 */
#include "number-table.h"

#include <stdlib.h>

enum { FEWEST = 64, TOGETHER = 64 };

static size_t find_slot(const struct convert_numbers *numbers, uint64_t number)
{
	uint64_t start = convert_mix(number / TOGETHER) * TOGETHER + number % TOGETHER;
	size_t slot = start & (numbers->slots - 1);

	while (numbers->slot[slot].key != 0 && numbers->slot[slot].key != number + 1)
		slot = (slot + 1) & (numbers->slots - 1);
	return slot;
}

static int grow(struct convert_numbers *numbers)
{
	struct convert_numbers grown = {
	    .count = numbers->count, .slots = numbers->slots == 0 ? FEWEST : numbers->slots * 2};

	grown.slot = calloc(grown.slots, sizeof(*grown.slot));
	if (grown.slot == NULL)
		return -1;
	for (size_t i = 0; i < numbers->slots; i++)
		if (numbers->slot[i].key != 0)
			grown.slot[find_slot(&grown, numbers->slot[i].key - 1)] = numbers->slot[i];
	free(numbers->slot);
	*numbers = grown;
	return 0;
}

uint64_t *convert_numbers_find(const struct convert_numbers *numbers, uint64_t number)
{
	if (numbers->slots == 0)
		return NULL;
	struct convert_number *found = &numbers->slot[find_slot(numbers, number)];
	return found->key != 0 ? &found->value : NULL;
}

uint64_t *convert_numbers_make(struct convert_numbers *numbers, uint64_t number)
{
	uint64_t *known = convert_numbers_find(numbers, number);

	if (known != NULL)
		return known;
	if (numbers->count >= numbers->slots / 4 * 3 && grow(numbers) != 0)
		return NULL;
	struct convert_number *made = &numbers->slot[find_slot(numbers, number)];
	*made = (struct convert_number){.key = number + 1};
	numbers->count++;
	return &made->value;
}

void convert_numbers_free(struct convert_numbers *numbers)
{
	free(numbers->slot);
	*numbers = (struct convert_numbers){0};
}
