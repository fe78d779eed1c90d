/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hash map that all rooms use, from a 64-bit number (struct map) or a pair of them (struct
 * pair_map) to a 64-bit number other than MAP_NONE: an index in the owner's array, or a pointer.
 * Linear probing; erasing leaves no tombstones. All zero bytes is an empty map.
 *
 * Byte strings and records stay in their owner's array. The map holds their indices by a hash of
 * their content, and the owner compares those with the same hash:
 *
 *   uint64_t hash = text_hash(TEXT_HASH_START, text);
 *   for (size_t at = map_first(&places, hash); at != MAP_END; at = map_next(&places, hash, at))
 *   	if (strcmp(texts[map_value(&places, at)], text) == 0)
 *   		return map_value(&places, at);
 *   if (!map_add(&places, hash, count))
 *   	...
 *
 * A failed allocation is returned, never fatal, and leaves the map unchanged. A key takes 24 to 48
 * bytes if it is a number, 36 to 72 if it is a pair. The caller must serialise calls on one map.
 */
#ifndef SHARED_HASH_MAP_H
#define SHARED_HASH_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAP_NONE UINT64_MAX
#define MAP_END  SIZE_MAX

/* Slots consist of the key's words and the value, which is MAP_NONE in a free slot. */
struct map {
	uint64_t *slots;
	size_t capacity; /* 0 or a power of two */
	size_t count;
};

struct pair_map {
	struct map map;
};

struct map_key {
	uint64_t first, second;
};

/*
 * The functions with a parameter `words` serve both kinds of maps: it is constant in each caller,
 * and they are inlined there.
 */
#define MAP_INLINE static inline __attribute__((always_inline))

MAP_INLINE uint64_t *map_at(const struct map *map, size_t at, size_t words)
{
	return map->slots + at * (words + 1);
}

MAP_INLINE bool map_is_free(const struct map *map, size_t at, size_t words)
{
	return map_at(map, at, words)[words] == MAP_NONE;
}

MAP_INLINE size_t map_home(const struct map *map, const uint64_t *key, size_t words)
{
	uint64_t second = words == 2 ? key[1] * UINT64_C(0x9e3779b97f4a7c15) : 0;
	uint64_t mixed = (key[0] ^ second) * UINT64_C(0xbf58476d1ce4e5b9);

	return (size_t)(mixed ^ (mixed >> 32)) & (map->capacity - 1);
}

/* Returns the first slot from `at` on that holds the key or is free. */
MAP_INLINE size_t map_probe(const struct map *map, size_t at, const uint64_t *key, size_t words)
{
	for (;; at = (at + 1) & (map->capacity - 1)) {
		const uint64_t *slot = map_at(map, at, words);

		if (slot[words] == MAP_NONE ||
		    (slot[0] == key[0] && (words == 1 || slot[1] == key[1])))
			return at;
	}
}

/* Returns the slot that holds the key, or MAP_END. */
MAP_INLINE size_t map_look_up(const struct map *map, const uint64_t *key, size_t words)
{
	size_t at;

	if (map->count == 0)
		return MAP_END;
	at = map_probe(map, map_home(map, key, words), key, words);
	return map_is_free(map, at, words) ? MAP_END : at;
}

/* Puts a key and its value into the first free slot from the key's home on; there must be one. */
MAP_INLINE void map_put(struct map *map, const uint64_t *key, uint64_t value, size_t words)
{
	size_t at = map_home(map, key, words);

	while (!map_is_free(map, at, words))
		at = (at + 1) & (map->capacity - 1);
	memcpy(map_at(map, at, words), key, words * sizeof(*key));
	map_at(map, at, words)[words] = value;
	map->count++;
}

/* Keeps at most two thirds of the slots in use. */
MAP_INLINE bool map_make_room(struct map *map, size_t words)
{
	struct map bigger = {.capacity = map->capacity != 0 ? 2 * map->capacity : 16};
	size_t bytes;

	if (map->count < map->capacity / 3 * 2)
		return true;
	if (__builtin_mul_overflow(bigger.capacity, (words + 1) * sizeof(uint64_t), &bytes))
		return false;
	bigger.slots = (uint64_t *)malloc(bytes);
	if (bigger.slots == NULL)
		return false;
	memset(bigger.slots, 0xff, bytes);
	for (size_t at = 0; at < map->capacity; at++)
		if (!map_is_free(map, at, words))
			map_put(
			    &bigger, map_at(map, at, words), map_at(map, at, words)[words], words);
	free(map->slots);
	*map = bigger;
	return true;
}

MAP_INLINE bool map_replace(struct map *map, const uint64_t *key, uint64_t value, size_t words)
{
	size_t at = map_look_up(map, key, words);

	if (at != MAP_END)
		map_at(map, at, words)[words] = value;
	else if (map_make_room(map, words))
		map_put(map, key, value, words);
	else
		return false;
	return true;
}

/*
 * Frees a slot. Later entries of the same run move back over the hole, unless that would put one
 * before its home: one may fill the hole when its home is not cyclically within (hole, entry].
 */
MAP_INLINE void map_free_slot(struct map *map, size_t hole, size_t words)
{
	size_t mask = map->capacity - 1;

	for (size_t at = (hole + 1) & mask; !map_is_free(map, at, words); at = (at + 1) & mask) {
		size_t home = map_home(map, map_at(map, at, words), words);

		if (((at - home) & mask) >= ((at - hole) & mask)) {
			memcpy(map_at(map, hole, words), map_at(map, at, words),
			    (words + 1) * sizeof(uint64_t));
			hole = at;
		}
	}
	map_at(map, hole, words)[words] = MAP_NONE;
	map->count--;
}

/* Returns the first slot from `at` on that is in use, or MAP_END. */
MAP_INLINE size_t map_next_used(const struct map *map, size_t at, size_t words)
{
	while (at < map->capacity && map_is_free(map, at, words))
		at++;
	return at < map->capacity ? at : MAP_END;
}

/* Returns the value of the key, or MAP_NONE; if several were added, any of them. */
static inline uint64_t map_find(const struct map *map, uint64_t key)
{
	size_t at = map_look_up(map, &key, 1);

	return at != MAP_END ? map_at(map, at, 1)[1] : MAP_NONE;
}

/* Sets the value of the key, replacing the present one; false: no memory. */
static inline bool map_set(struct map *map, uint64_t key, uint64_t value)
{
	return map_replace(map, &key, value, 1);
}

/* Removes a key; does nothing if it is not there. */
static inline void map_erase(struct map *map, uint64_t key)
{
	size_t at = map_look_up(map, &key, 1);

	if (at != MAP_END)
		map_free_slot(map, at, 1);
}

/* Adds a further value to those of the key; false: no memory. */
static inline bool map_add(struct map *map, uint64_t key, uint64_t value)
{
	if (!map_make_room(map, 1))
		return false;
	map_put(map, &key, value, 1);
	return true;
}

/*
 * Iterates over the slots of a key's values, in no particular order; MAP_END after the last one.
 * Valid until the map changes.
 */
static inline size_t map_first(const struct map *map, uint64_t key)
{
	return map_look_up(map, &key, 1);
}

static inline size_t map_next(const struct map *map, uint64_t key, size_t at)
{
	at = map_probe(map, (at + 1) & (map->capacity - 1), &key, 1);
	return map_is_free(map, at, 1) ? MAP_END : at;
}

static inline uint64_t map_value(const struct map *map, size_t at)
{
	return map_at(map, at, 1)[1];
}

/* Replaces the slot's value. */
static inline void map_change(struct map *map, size_t at, uint64_t value)
{
	map_at(map, at, 1)[1] = value;
}

/*
 * Returns the first slot from `at` on that is in use, or MAP_END. To iterate over all slots, in no
 * particular order, start at 0 and continue after the last one found. Valid until the map changes.
 */
static inline size_t map_used(const struct map *map, size_t at)
{
	return map_next_used(map, at, 1);
}

static inline void map_remove(struct map *map, size_t at)
{
	map_free_slot(map, at, 1);
}

static inline void map_free(struct map *map)
{
	free(map->slots);
	*map = (struct map){0};
}

/* Removes all keys but keeps the memory. */
static inline void pair_map_clear(struct pair_map *map)
{
	if (map->map.count > 0)
		memset(map->map.slots, 0xff, map->map.capacity * 3 * sizeof(uint64_t));
	map->map.count = 0;
}

static inline uint64_t pair_map_find(const struct pair_map *map, struct map_key key)
{
	uint64_t words[2] = {key.first, key.second};
	size_t at = map_look_up(&map->map, words, 2);

	return at != MAP_END ? map_at(&map->map, at, 2)[2] : MAP_NONE;
}

/*
 * Returns a pointer to the key's value, which may be set to anything but MAP_NONE. A key that is
 * not there is first added with the initial value. NULL: no memory. Valid until the map changes.
 */
static inline uint64_t *pair_map_place(struct pair_map *map, struct map_key key, uint64_t initial)
{
	uint64_t words[2] = {key.first, key.second};
	size_t at = map_look_up(&map->map, words, 2);

	if (at == MAP_END) {
		if (!map_make_room(&map->map, 2))
			return NULL;
		map_put(&map->map, words, initial, 2);
		at = map_look_up(&map->map, words, 2);
	}
	return &map_at(&map->map, at, 2)[2];
}

static inline bool pair_map_set(struct pair_map *map, struct map_key key, uint64_t value)
{
	return map_replace(&map->map, (uint64_t[]){key.first, key.second}, value, 2);
}

static inline void pair_map_erase(struct pair_map *map, struct map_key key)
{
	uint64_t words[2] = {key.first, key.second};
	size_t at = map_look_up(&map->map, words, 2);

	if (at != MAP_END)
		map_free_slot(&map->map, at, 2);
}

static inline size_t pair_map_used(const struct pair_map *map, size_t at)
{
	return map_next_used(&map->map, at, 2);
}

static inline uint64_t pair_map_value(const struct pair_map *map, size_t at)
{
	return map_at(&map->map, at, 2)[2];
}

static inline void pair_map_free(struct pair_map *map)
{
	map_free(&map->map);
}

#endif
