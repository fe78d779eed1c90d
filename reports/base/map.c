/* SPDX-License-Identifier: BSD-3-Clause */
/* The map of map.h. Filled to at most one half, so that probes stay short. */
#include <stdlib.h>

#include "map.h"
#include "memory.h"

#define CAPACITY_MIN 16

static size_t home_of(const struct map *map, struct map_key key)
{
	uint64_t hash = (key.first ^ (key.second * UINT64_C(0x9e3779b97f4a7c15))) *
			UINT64_C(0xbf58476d1ce4e5b9);

	return (size_t)(hash ^ (hash >> 32)) & (map->capacity - 1);
}

static bool equal(struct map_key one, struct map_key other)
{
	return one.first == other.first && one.second == other.second;
}

/* The slot that holds key, or the free one where it belongs. */
static size_t slot_of(const struct map *map, struct map_key key)
{
	size_t slot = home_of(map, key);

	while (map->slots[slot].value != MAP_NONE && !equal(map->slots[slot].key, key))
		slot = (slot + 1) & (map->capacity - 1);
	return slot;
}

uint64_t map_find(const struct map *map, struct map_key key)
{
	if (map->count == 0)
		return MAP_NONE;
	return map->slots[slot_of(map, key)].value;
}

static void grow(struct map *map)
{
	struct map bigger = {.capacity = map->capacity ? 2 * map->capacity : CAPACITY_MIN};

	bigger.slots = memory_new(bigger.capacity, sizeof(bigger.slots[0]));
	map_clear(&bigger);
	for (size_t i = 0; i < map->capacity; i++) {
		if (map->slots[i].value != MAP_NONE)
			map_set(&bigger, map->slots[i].key, map->slots[i].value);
	}
	free(map->slots);
	*map = bigger;
}

void map_set(struct map *map, struct map_key key, uint64_t value)
{
	size_t slot;

	if (2 * (map->count + 1) > map->capacity)
		grow(map);
	slot = slot_of(map, key);
	if (map->slots[slot].value == MAP_NONE)
		map->count++;
	map->slots[slot].key = key;
	map->slots[slot].value = value;
}

/*
 * Moves later entries of the same run back over the hole, unless that would put one before its
 * home: an entry may fill the hole when its home is not cyclically within (hole, entry].
 */
void map_erase(struct map *map, struct map_key key)
{
	size_t mask = map->capacity - 1;
	size_t hole;

	if (map_find(map, key) == MAP_NONE)
		return;
	hole = slot_of(map, key);
	for (size_t slot = (hole + 1) & mask; map->slots[slot].value != MAP_NONE;
	     slot = (slot + 1) & mask) {
		size_t home = home_of(map, map->slots[slot].key);

		if (((slot - home) & mask) >= ((slot - hole) & mask)) {
			map->slots[hole] = map->slots[slot];
			hole = slot;
		}
	}
	map->slots[hole].value = MAP_NONE;
	map->count--;
}

void map_clear(struct map *map)
{
	for (size_t i = 0; i < map->capacity; i++)
		map->slots[i].value = MAP_NONE;
	map->count = 0;
}

void map_free(struct map *map)
{
	free(map->slots);
	*map = (struct map){0};
}
