/* SPDX-License-Identifier: BSD-3-Clause */
/* The sets of definitions: equal definitions are stored once. */
#include "set.h"

#include "shared/array.h"
#include "shared/precondition.h"

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

/* Returns the index of an equal record; SIZE_MAX: there is none. */
static size_t find(
    const struct convert_pool *pool, uint64_t hash, const uint64_t *words, size_t key)
{
	for (size_t at = map_first(&pool->places, hash); at != MAP_END;
	     at = map_next(&pool->places, hash, at)) {
		size_t place = map_value(&pool->places, at), count;
		const uint64_t *other = convert_pool_at(pool, place, &count);
		if (key_of(pool, count) == key && memcmp(other, words, key * sizeof(*words)) == 0)
			return place;
	}
	return SIZE_MAX;
}

size_t convert_pool_add(struct convert_pool *pool, const uint64_t *words, size_t count)
{
	CHECK(count > 0, "the record has words");

	size_t key = key_of(pool, count);
	uint64_t hash = hash_of(words, key);
	size_t known = find(pool, hash, words, key);

	if (known != SIZE_MAX)
		return known;
	if (!ARRAY_ROOM(pool->start, pool->count, pool->capacity, 2) ||
	    !ARRAY_ROOM(pool->words, pool->word_count, pool->word_capacity, count) ||
	    !map_add(&pool->places, hash, pool->count))
		return SIZE_MAX;
	memcpy(pool->words + pool->word_count, words, count * sizeof(*words));
	pool->start[pool->count++] = pool->word_count;
	pool->word_count += count;
	pool->start[pool->count] = pool->word_count;
	return pool->count - 1;
}

uint32_t convert_set_string(struct convert_set *set, const char *text)
{
	uint32_t place = convert_strings_place(&set->strings, text);

	set->failed |= place == SET_NO_STRING;
	return place;
}

void convert_set_init(struct convert_set *set)
{
	*set = (struct convert_set){
	    .regions.key_words = SET_REGION_KEY_WORDS, .comms.key_words = 1, .ranks.key_words = 1};
}

static void free_pool(struct convert_pool *pool)
{
	free(pool->words);
	free(pool->start);
	map_free(&pool->places);
}

void convert_set_free(struct convert_set *set)
{
	convert_strings_free(&set->strings);
	free_pool(&set->regions);
	free_pool(&set->metrics);
	free_pool(&set->contexts);
	free_pool(&set->parameters);
	free_pool(&set->comms);
	free_pool(&set->callers);
	free_pool(&set->locks);
	free_pool(&set->ranks);
	convert_set_init(set);
}

void convert_maps_free(struct convert_maps *maps)
{
	free(maps->strings);
	free(maps->regions);
	free(maps->metrics);
	free(maps->contexts);
	free(maps->parameters);
	free(maps->comms);
	*maps = (struct convert_maps){0};
}

/* The state of translating a record's strings to the other set's indices. */
struct translation {
	struct convert_set *into;
	const uint64_t *strings;
	const uint64_t *places;  /* of this pool's records so far */
	const uint64_t *regions; /* of all regions, when they are merged */
	uint64_t *words;
	size_t capacity;
};

static uint64_t *copy_record(struct translation *translation, const uint64_t *words, size_t count)
{
	if (!ARRAY_ROOM(translation->words, 0, translation->capacity, count + 1)) {
		translation->into->failed = true;
		return NULL;
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
	translate(translation, &words[SET_REGION_CODE]);
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

/* The caller's context was merged before. */
static void translate_context(const struct translation *translation, uint64_t *words, size_t count)
{
	(void)count;
	translate(translation, &words[SET_CONTEXT_FUNCTION]);
	translate(translation, &words[SET_CONTEXT_FILE]);
	translate(translation, &words[SET_CONTEXT_CODE]);
	if (words[SET_CONTEXT_PARENT] != SET_NO_CONTEXT)
		words[SET_CONTEXT_PARENT] = translation->places[words[SET_CONTEXT_PARENT]];
}

static void translate_comm(const struct translation *translation, uint64_t *words, size_t count)
{
	(void)count;
	translate(translation, &words[SET_COMM_NAME]);
}

static void translate_lock(const struct translation *translation, uint64_t *words, size_t count)
{
	(void)count;
	translate(translation, &words[SET_LOCK_NAME]);
}

static void translate_caller(const struct translation *translation, uint64_t *words, size_t count)
{
	(void)count;
	if (translation->regions != NULL)
		words[SET_CALLER_REGION] = translation->regions[words[SET_CALLER_REGION]];
	for (int i = SET_CALLER_FUNCTION; i < SET_CALLER_WORDS; i++)
		translate(translation, &words[i]);
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
	/* The list follows the record that had none: everything after it moves up. */
	size_t more = count - known_count;
	if (!ARRAY_ROOM(comms->words, comms->word_count, comms->word_capacity, more)) {
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
	translation->places = places;
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
	uint64_t *strings = calloc(from->strings.count + 1, sizeof(*strings)), *regions = NULL;
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
		    .comm_count = from->comms.count,
		    .context_count = from->contexts.count};
	merge_pool(&translation, &into->regions, &from->regions, translate_region, &regions);
	translation.regions = regions;
	merge_pool(&translation, &into->metrics, &from->metrics, translate_metrics,
	    maps != NULL ? &maps->metrics : NULL);
	merge_pool(&translation, &into->parameters, &from->parameters, translate_parameter,
	    maps != NULL ? &maps->parameters : NULL);
	merge_pool(&translation, &into->comms, &from->comms, translate_comm,
	    maps != NULL ? &maps->comms : NULL);
	merge_pool(&translation, &into->contexts, &from->contexts, translate_context,
	    maps != NULL ? &maps->contexts : NULL);
	merge_pool(&translation, &into->callers, &from->callers, translate_caller, NULL);
	merge_pool(&translation, &into->locks, &from->locks, translate_lock, NULL);
	merge_pool(&translation, &into->ranks, &from->ranks, translate_rank, NULL);
	free(translation.words);
	if (maps != NULL)
		maps->regions = regions;
	else
		free(regions);
	if (maps == NULL)
		free(strings);
}

void convert_set_take(struct convert_set *into, struct convert_set *from, struct convert_maps *maps)
{
	CHECK(into->strings.count == 0 && into->ranks.count == 0, "the set is empty");
	*into = *from;
	convert_set_init(from);
	*maps = (struct convert_maps){.string_count = into->strings.count,
	    .region_count = into->regions.count,
	    .metric_count = into->metrics.count,
	    .parameter_count = into->parameters.count,
	    .comm_count = into->comms.count,
	    .context_count = into->contexts.count};
}
