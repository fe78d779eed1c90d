/* SPDX-License-Identifier: BSD-3-Clause */
/* The sets of definitions: what is the same is there once. */
#include "set.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const uint64_t *words, size_t count)
{
	uint64_t hash = UINT64_C(0x9e3779b97f4a7c15);

	for (size_t i = 0; i < count; i++) {
		hash = (hash ^ words[i]) * UINT64_C(0xff51afd7ed558ccd);
		hash ^= hash >> 32;
	}
	return hash;
}

static size_t key_of(const struct convert_pool *pool, size_t count)
{
	return pool->key_words > 0 && pool->key_words < count ? pool->key_words : count;
}

static size_t find_slot(const struct convert_pool *pool, const uint64_t *words, size_t count)
{
	size_t key = key_of(pool, count), slot = hash_of(words, key) & (pool->slot_count - 1);

	for (; pool->slot[slot] != 0; slot = (slot + 1) & (pool->slot_count - 1)) {
		size_t other_count;
		const uint64_t *other = convert_pool_at(pool, pool->slot[slot] - 1, &other_count);
		if (key_of(pool, other_count) == key &&
		    memcmp(other, words, key * sizeof(*words)) == 0)
			break;
	}
	return slot;
}

static bool grow_records(struct convert_pool *pool)
{
	size_t capacity = pool->capacity == 0 ? 64 : pool->capacity * 2;
	size_t *start = realloc(pool->start, (capacity + 1) * sizeof(*start));

	if (start == NULL)
		return false;
	if (pool->count == 0)
		start[0] = 0;
	pool->start = start;
	uint32_t *slot = calloc(capacity * 2, sizeof(*slot));
	if (slot == NULL)
		return false;
	free(pool->slot);
	pool->slot = slot;
	pool->slot_count = capacity * 2;
	pool->capacity = capacity;
	for (size_t i = 0; i < pool->count; i++) {
		size_t count;
		const uint64_t *words = convert_pool_at(pool, i, &count);
		slot[find_slot(pool, words, count)] = (uint32_t)i + 1;
	}
	return true;
}

static bool grow_words(struct convert_pool *pool, size_t more)
{
	size_t capacity = pool->word_capacity == 0 ? 1024 : pool->word_capacity;

	while (capacity < pool->word_count + more)
		capacity += capacity / 2;
	if (capacity == pool->word_capacity)
		return true;
	uint64_t *words = realloc(pool->words, capacity * sizeof(*words));
	if (words == NULL)
		return false;
	pool->words = words;
	pool->word_capacity = capacity;
	return true;
}

size_t convert_pool_add(struct convert_pool *pool, const uint64_t *words, size_t count)
{
	if ((pool->count == pool->capacity && !grow_records(pool)) || !grow_words(pool, count))
		return SIZE_MAX;
	size_t slot = find_slot(pool, words, count);
	if (pool->slot[slot] == 0) {
		memcpy(pool->words + pool->word_count, words, count * sizeof(*words));
		pool->word_count += count;
		pool->slot[slot] = (uint32_t)++pool->count;
		pool->start[pool->count] = pool->word_count;
	}
	return pool->slot[slot] - 1;
}

uint32_t convert_set_string(struct convert_set *set, const char *text)
{
	uint32_t place = convert_strings_place(&set->strings, text);

	set->failed |= place == SET_NO_STRING;
	return place;
}

void convert_set_init(struct convert_set *set)
{
	*set = (struct convert_set){.comms.key_words = 1, .ranks.key_words = 1};
}

static void free_pool(struct convert_pool *pool)
{
	free(pool->words);
	free(pool->start);
	free(pool->slot);
}

void convert_set_free(struct convert_set *set)
{
	convert_strings_free(&set->strings);
	free_pool(&set->regions);
	free_pool(&set->metrics);
	free_pool(&set->parameters);
	free_pool(&set->comms);
	free_pool(&set->ranks);
	convert_set_init(set);
}

void convert_maps_free(struct convert_maps *maps)
{
	free(maps->strings);
	free(maps->regions);
	free(maps->metrics);
	free(maps->parameters);
	free(maps->comms);
	*maps = (struct convert_maps){0};
}

/* A record while its strings are given the other set's places. */
struct translation {
	struct convert_set *into;
	const uint64_t *strings;
	uint64_t *words;
	size_t capacity;
};

static uint64_t *copy_record(struct translation *translation, const uint64_t *words, size_t count)
{
	if (translation->words == NULL || translation->capacity < count) {
		uint64_t *grown = realloc(translation->words, (count * 2 + 1) * sizeof(*grown));
		if (grown == NULL) {
			translation->into->failed = true;
			return NULL;
		}
		translation->words = grown;
		translation->capacity = count * 2;
	}
	memcpy(translation->words, words, count * sizeof(*words));
	return translation->words;
}

static void translate(const struct translation *translation, uint64_t *word)
{
	if (*word != SET_NO_STRING)
		*word = translation->strings[*word];
}

static void translate_region(const struct translation *translation, uint64_t *words, size_t count)
{
	(void)count;
	translate(translation, &words[SET_REGION_NAME]);
	translate(translation, &words[SET_REGION_DESCRIPTION]);
	translate(translation, &words[SET_REGION_FILE]);
}

static void translate_metrics(const struct translation *translation, uint64_t *words, size_t count)
{
	for (size_t i = 1; i < count; i++)
		translate(translation, &words[i]);
}

static void translate_parameter(
    const struct translation *translation, uint64_t *words, size_t count)
{
	(void)count;
	translate(translation, &words[0]);
}

static void translate_comm(const struct translation *translation, uint64_t *words, size_t count)
{
	(void)count;
	translate(translation, &words[SET_COMM_NAME]);
}

static void translate_rank(const struct translation *translation, uint64_t *words, size_t count)
{
	translate(translation, &words[SET_RANK_HOST]);
	for (size_t i = 0; i < words[SET_RANK_LOCATIONS] && SET_RANK_WORDS + i * 2 < count; i++)
		translate(translation, &words[SET_RANK_WORDS + i * 2]);
}

/* Only one member lists a communicator's members, and it may have been named later. */
static void complete_comm(
    struct convert_set *into, size_t place, const uint64_t *words, size_t count)
{
	struct convert_pool *comms = &into->comms;
	size_t known_count;
	uint64_t *known = (uint64_t *)convert_pool_at(comms, place, &known_count);

	if (known[SET_COMM_NAME] == SET_NO_STRING)
		known[SET_COMM_NAME] = words[SET_COMM_NAME];
	if (known[SET_COMM_PARENT] == 0)
		known[SET_COMM_PARENT] = words[SET_COMM_PARENT];
	if (known_count >= count)
		return;
	/* The list goes where the short record was: what lies behind moves up. */
	size_t more = count - known_count;
	if (!grow_words(comms, more)) {
		into->failed = true;
		return;
	}
	uint64_t *end = comms->words + comms->start[place + 1];
	memmove(end + more, end, (comms->word_count - comms->start[place + 1]) * sizeof(*end));
	memcpy(end, words + known_count, more * sizeof(*end));
	for (size_t i = place + 1; i <= comms->count; i++)
		comms->start[i] += more;
	comms->word_count += more;
}

typedef void translate_record(const struct translation *, uint64_t *, size_t);

static void merge_pool(struct translation *translation, struct convert_pool *into,
    const struct convert_pool *from, translate_record *translate_words, uint64_t **map)
{
	uint64_t *places = calloc(from->count + 1, sizeof(*places));

	translation->into->failed |= places == NULL;
	for (size_t i = 0; i < from->count && places != NULL; i++) {
		size_t count, before = into->count;
		const uint64_t *words = convert_pool_at(from, i, &count);
		uint64_t *copy = copy_record(translation, words, count);
		if (copy == NULL)
			break;
		translate_words(translation, copy, count);
		places[i] = convert_pool_add(into, copy, count);
		if (places[i] == SIZE_MAX) {
			translation->into->failed = true;
			break;
		}
		if (into == &translation->into->comms && into->count == before)
			complete_comm(translation->into, places[i], copy, count);
	}
	if (map != NULL)
		*map = places;
	else
		free(places);
}

void convert_set_merge(
    struct convert_set *into, const struct convert_set *from, struct convert_maps *maps)
{
	uint64_t *strings = calloc(from->strings.count + 1, sizeof(*strings));
	struct translation translation = {.into = into, .strings = strings};

	into->failed |= strings == NULL || from->failed;
	if (into->failed) {
		free(strings);
		return;
	}
	for (size_t i = 0; i < from->strings.count; i++)
		strings[i] = convert_set_string(into, from->strings.text[i]);
	if (maps != NULL)
		*maps = (struct convert_maps){.strings = strings,
		    .string_count = from->strings.count,
		    .region_count = from->regions.count,
		    .metric_count = from->metrics.count,
		    .parameter_count = from->parameters.count,
		    .comm_count = from->comms.count};
	merge_pool(&translation, &into->regions, &from->regions, translate_region,
	    maps != NULL ? &maps->regions : NULL);
	merge_pool(&translation, &into->metrics, &from->metrics, translate_metrics,
	    maps != NULL ? &maps->metrics : NULL);
	merge_pool(&translation, &into->parameters, &from->parameters, translate_parameter,
	    maps != NULL ? &maps->parameters : NULL);
	merge_pool(&translation, &into->comms, &from->comms, translate_comm,
	    maps != NULL ? &maps->comms : NULL);
	merge_pool(&translation, &into->ranks, &from->ranks, translate_rank, NULL);
	free(translation.words);
	if (maps == NULL)
		free(strings);
}

void convert_set_take(struct convert_set *into, struct convert_set *from, struct convert_maps *maps)
{
	*into = *from;
	convert_set_init(from);
	*maps = (struct convert_maps){.string_count = into->strings.count,
	    .region_count = into->regions.count,
	    .metric_count = into->metrics.count,
	    .parameter_count = into->parameters.count,
	    .comm_count = into->comms.count};
}
