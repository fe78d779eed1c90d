/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A map from a pair of numbers to a number: definition references, tasks, executions of a
 * construct. Open addressing with linear probing; erasing leaves no tombstones. All zero bytes is
 * an empty map.
 */
#ifndef MAP_H
#define MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAP_NONE UINT64_MAX

struct map_key {
	uint64_t first, second;
};

struct map_slot {
	struct map_key key;
	uint64_t value; /* MAP_NONE: the slot is free */
};

struct map {
	struct map_slot *slots;
	size_t capacity; /* 0 or a power of two */
	size_t count;
};

/* The value of key, or MAP_NONE. */
uint64_t map_find(const struct map *map, struct map_key key);

/* Sets the value (never MAP_NONE) of key. The tools end when memory does: see memory.h. */
void map_set(struct map *map, struct map_key key, uint64_t value);

void map_erase(struct map *map, struct map_key key);

/* Forgets all entries, keeps the memory. */
void map_clear(struct map *map);

void map_free(struct map *map);

#endif
