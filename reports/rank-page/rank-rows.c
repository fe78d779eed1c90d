/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the mixes of all steps, as timeline_apportion() rounds them, and orders them by their use.
 */
#include "rank-rows.h"

#include <stdlib.h>

#include "memory.h"
#include "shared/hash-map.h"

_Static_assert(ACTIVITIES <= 16, "a key has four bits for each activity");

/* The mixes in the order of their first use, and how often each occurs. */
struct found {
	struct map index_of;
	struct rank_mix *mixes;
	uint64_t *uses;
	size_t count, room, use_room;
};

static uint32_t number_of(struct found *found, const struct rank_mix *mix)
{
	uint64_t key = 0, index;

	for (int i = 0; i < ACTIVITIES; i++)
		key = key << 4 | mix->parts[i];
	index = map_find(&found->index_of, key);
	if (index == MAP_NONE) {
		index = found->count;
		MEMORY_GROW(found->uses, found->use_room, found->count + 1);
		found->uses[index] = 0;
		*MEMORY_ADD(found->mixes, found->room, found->count) = *mix;
		memory_map_set(&found->index_of, key, index);
	}
	found->uses[index]++;
	return (uint32_t)index;
}

static int compare_uses(const void *first, const void *second, void *context)
{
	const struct found *found = context;
	uint32_t one = *(const uint32_t *)first, other = *(const uint32_t *)second;

	if (found->uses[one] != found->uses[other])
		return found->uses[one] < found->uses[other] ? 1 : -1;
	return (one > other) - (one < other);
}

static void sort_by_use(struct rank_rows *rows, struct found *found)
{
	uint32_t *order = memory_new(found->count, sizeof(order[0]));
	uint32_t *place = memory_new(found->count, sizeof(place[0]));

	for (size_t i = 0; i < found->count; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, found->count, sizeof(order[0]), compare_uses, found);
	rows->mixes = memory_new(found->count, sizeof(rows->mixes[0]));
	rows->mix_count = found->count;
	for (size_t i = 0; i < found->count; i++) {
		rows->mixes[i] = found->mixes[order[i]];
		place[order[i]] = (uint32_t)i;
	}
	for (size_t i = 0; i < rows->rows * rows->steps; i++)
		rows->cells[i] = place[rows->cells[i]];
	free(order);
	free(place);
}

struct rank_rows rank_rows_find(const struct timeline *timeline)
{
	struct rank_rows rows = {.rows = timeline->rows, .steps = timeline->bins};
	struct found found = {.count = 0};

	rows.cells = memory_new(rows.rows * rows.steps, sizeof(rows.cells[0]));
	for (size_t row = 0; row < rows.rows; row++) {
		size_t threads =
		    timeline_row_begin(timeline, row + 1) - timeline_row_begin(timeline, row);
		double whole = timeline->bin_ticks * (double)threads, carried[ACTIVITIES] = {0};

		for (size_t step = 0; step < rows.steps; step++) {
			struct rank_mix mix = {{0}};

			timeline_apportion(timeline_bin(timeline, row, step), whole, RANK_MIX_PARTS,
			    carried, mix.parts);
			rows.cells[row * rows.steps + step] = number_of(&found, &mix);
		}
	}
	sort_by_use(&rows, &found);
	map_free(&found.index_of);
	free(found.mixes);
	free(found.uses);
	return rows;
}

void rank_rows_free(struct rank_rows *rows)
{
	free(rows->mixes);
	free(rows->cells);
}
