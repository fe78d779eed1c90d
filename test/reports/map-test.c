/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The map against a plain array, by chance: few keys, so that they are set, changed and erased
 * again and again and every erasure moves others.
 */
#include <stdio.h>
#include <stdlib.h>

#include "map.h"

enum { KEYS = 97, STEPS = 200000 };

static struct map_key key_of(unsigned number)
{
	return (struct map_key){number % 7, number / 7};
}

int main(void)
{
	uint64_t expected[KEYS];
	struct map map = {0};
	uint64_t state = 1;
	size_t count = 0;

	for (unsigned i = 0; i < KEYS; i++)
		expected[i] = MAP_NONE;
	for (unsigned step = 0; step < STEPS; step++) {
		unsigned number;

		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		number = (unsigned)(state >> 33) % KEYS;
		if (map_find(&map, key_of(number)) != expected[number]) {
			fprintf(stderr, "step %u: key %u is wrong\n", step, number);
			return 1;
		}
		if ((state >> 20) % 2) {
			count += expected[number] == MAP_NONE;
			map_set(&map, key_of(number), step);
			expected[number] = step;
		} else {
			count -= expected[number] != MAP_NONE;
			map_erase(&map, key_of(number));
			expected[number] = MAP_NONE;
		}
		if (map.count != count) {
			fprintf(stderr, "step %u: %zu entries, not %zu\n", step, map.count, count);
			return 1;
		}
	}
	for (unsigned i = 0; i < KEYS; i++) {
		if (map_find(&map, key_of(i)) != expected[i]) {
			fprintf(stderr, "at the end: key %u is wrong\n", i);
			return 1;
		}
	}
	map_clear(&map);
	if (map.count || map_find(&map, key_of(1)) != MAP_NONE)
		return 1;
	map_free(&map);
	return 0;
}
