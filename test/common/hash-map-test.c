/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hash map against plain arrays, by chance: few keys, so that they are set, changed and erased
 * again and again and every erasure moves others. Then several values for a key, and failures.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static size_t calls, calls_until_failure = SIZE_MAX;

static void *failing_malloc(size_t size)
{
	return calls++ < calls_until_failure ? malloc(size) : NULL;
}

#define malloc failing_malloc
#include "shared/hash-map.h"
#undef malloc

#include "shared/text-hash.h"

#define EXPECT(condition)                                                                          \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);  \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

enum { KEYS = 97, STEPS = 200000 };

static unsigned next_random(void)
{
	static uint64_t state = 1;

	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(state >> 33);
}

static uint64_t number_key(unsigned number)
{
	return number * UINT64_C(0x100000000);
}

static struct map_key pair_key(unsigned number)
{
	return (struct map_key){number % 7, number / 7};
}

static void check_sets(void)
{
	uint64_t expected[KEYS];
	struct map map = {0};
	struct pair_map pairs = {{0}};
	size_t count = 0;

	for (unsigned i = 0; i < KEYS; i++)
		expected[i] = MAP_NONE;
	for (unsigned step = 0; step < STEPS; step++) {
		unsigned number = next_random() % KEYS;

		EXPECT(map_find(&map, number_key(number)) == expected[number]);
		EXPECT(pair_map_find(&pairs, pair_key(number)) == expected[number]);
		if (next_random() % 2 != 0) {
			count += expected[number] == MAP_NONE;
			EXPECT(map_set(&map, number_key(number), step));
			EXPECT(pair_map_set(&pairs, pair_key(number), step));
			expected[number] = step;
		} else {
			count -= expected[number] != MAP_NONE;
			map_erase(&map, number_key(number));
			pair_map_erase(&pairs, pair_key(number));
			expected[number] = MAP_NONE;
		}
		EXPECT(map.count == count && pairs.map.count == count);
	}
	for (unsigned i = 0; i < KEYS; i++) {
		EXPECT(map_find(&map, number_key(i)) == expected[i]);
		EXPECT(pair_map_find(&pairs, pair_key(i)) == expected[i]);
	}
	map_free(&map);
	pair_map_free(&pairs);
	EXPECT(map.count == 0 && map_find(&map, number_key(1)) == MAP_NONE);
	EXPECT(pairs.map.count == 0 && pair_map_find(&pairs, pair_key(1)) == MAP_NONE);
}

/* Counts by key in place, while the map grows. */
static void check_places(void)
{
	uint64_t expected[KEYS] = {0};
	struct pair_map pairs = {{0}};

	for (unsigned step = 0; step < STEPS; step++) {
		unsigned number = next_random() % KEYS;
		uint64_t *place = pair_map_place(&pairs, pair_key(number), 100);

		EXPECT(place && *place == 100 + expected[number]);
		(*place)++;
		expected[number]++;
	}
	for (unsigned i = 0; i < KEYS; i++)
		EXPECT(pair_map_find(&pairs, pair_key(i)) ==
		       (expected[i] ? 100 + expected[i] : MAP_NONE));
	pair_map_free(&pairs);
}

/* Every value is seen once, also when values are changed on the way. */
static void check_walks(void)
{
	struct map map = {0};
	struct pair_map pairs = {{0}};
	unsigned seen[KEYS] = {0};

	EXPECT(map_used(&map, 0) == MAP_END && pair_map_used(&pairs, 0) == MAP_END);
	for (unsigned i = 0; i < KEYS; i++) {
		EXPECT(map_set(&map, number_key(i), i));
		EXPECT(pair_map_set(&pairs, pair_key(i), i));
	}
	for (size_t at = map_used(&map, 0); at != MAP_END; at = map_used(&map, at + 1)) {
		seen[map_value(&map, at)]++;
		map_change(&map, at, KEYS - map_value(&map, at));
	}
	for (size_t at = pair_map_used(&pairs, 0); at != MAP_END;
	     at = pair_map_used(&pairs, at + 1))
		seen[pair_map_value(&pairs, at)]++;
	for (unsigned i = 0; i < KEYS; i++)
		EXPECT(seen[i] == 2 && map_find(&map, number_key(i)) == KEYS - i);
	map_free(&map);
	pair_map_clear(&pairs);
	EXPECT(pair_map_used(&pairs, 0) == MAP_END && pairs.map.count == 0);
	EXPECT(pair_map_find(&pairs, pair_key(1)) == MAP_NONE);
	EXPECT(pair_map_set(&pairs, pair_key(1), 7) && pair_map_find(&pairs, pair_key(1)) == 7);
	pair_map_free(&pairs);
}

/* Each of several values is found once, whatever was removed before. */
static void check_several_values(void)
{
	bool there[KEYS][8] = {{false}};
	struct map map = {0};

	for (int step = 0; step < STEPS; step++) {
		unsigned key = next_random() % KEYS, value = next_random() % 8;
		unsigned seen = 0;
		size_t found = MAP_END;

		for (size_t at = map_first(&map, key); at != MAP_END;
		     at = map_next(&map, key, at)) {
			EXPECT(map_value(&map, at) < 8 && there[key][map_value(&map, at)]);
			EXPECT((seen & 1U << map_value(&map, at)) == 0);
			seen |= 1U << map_value(&map, at);
			if (map_value(&map, at) == value)
				found = at;
		}
		for (unsigned i = 0; i < 8; i++)
			EXPECT(there[key][i] == ((seen & 1U << i) != 0));
		if (found != MAP_END)
			map_remove(&map, found);
		else
			EXPECT(map_add(&map, key, value));
		there[key][value] = found == MAP_END;
	}
	map_free(&map);
}

/* Texts by their hash, also such that share one. */
static void check_texts(void)
{
	static const char *const texts[] = {"parallel", "for", "", "single", "a longer one"};
	struct map map = {0};

	for (size_t i = 0; i < 5; i++) {
		EXPECT(map_add(&map, text_hash(TEXT_HASH_START, texts[i]), i));
		EXPECT(map_add(&map, 42, i));
	}
	for (size_t i = 0; i < 5; i++) {
		EXPECT(map_find(&map, text_hash(TEXT_HASH_START, texts[i])) == i);
		size_t at = map_first(&map, 42);
		while (at != MAP_END && strcmp(texts[map_value(&map, at)], texts[i]) != 0)
			at = map_next(&map, 42, at);
		EXPECT(at != MAP_END && map_value(&map, at) == i);
	}
	map_free(&map);
}

/* With a failure at the n-th growth for every n, all keys before it are there and no other. */
static void check_failures(void)
{
	for (size_t until = 0; until < 10; until++) {
		struct map map = {0};
		struct pair_map pairs = {{0}};
		size_t count = 0;

		calls = 0;
		calls_until_failure = until;
		while (map_set(&map, number_key((unsigned)count), count))
			count++;
		EXPECT(map.count == count && !map_add(&map, 1, 1));
		EXPECT(count == 0 || map_set(&map, 0, 7));
		EXPECT(map_find(&map, 0) == (count == 0 ? MAP_NONE : 7));
		for (unsigned i = 1; i < count + 10; i++)
			EXPECT(map_find(&map, number_key(i)) == (i < count ? i : MAP_NONE));
		EXPECT(!pair_map_set(&pairs, pair_key(1), 1));
		EXPECT(pair_map_find(&pairs, pair_key(1)) == MAP_NONE);
		calls_until_failure = SIZE_MAX;
		EXPECT(map_set(&map, 1, 1) && map.count == count + 1);
		map_free(&map);
	}
}

int main(void)
{
	check_sets();
	check_places();
	check_walks();
	check_several_values();
	check_texts();
	check_failures();
	return 0;
}
