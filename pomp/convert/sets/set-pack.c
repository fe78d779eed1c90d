/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sets as bytes, to be sent to another rank: the strings, each NUL-ended, then each pool's records,
 * each with its length. Received bytes are checked: every string that a record refers to must
 * exist, and no record may be shorter than its kind.
 */
#include "set.h"

#include "shared/trace-log.h"

#include <stdlib.h>
#include <string.h>

/* Returns whether a record is valid for its pool. */
typedef bool is_record(const struct convert_set *set, const uint64_t *words, size_t count);

static is_record is_region, is_metrics, is_parameter, is_comm, is_context, is_caller, is_lock,
    is_rank;

/* In the order of sending; pools that belong to single ranks are at the end. */
static const struct pool_kind {
	size_t place; /* in struct convert_set */
	is_record *is_sound;
} kinds[] = {
    {offsetof(struct convert_set, regions), is_region},
    {offsetof(struct convert_set, metrics), is_metrics},
    {offsetof(struct convert_set, parameters), is_parameter},
    {offsetof(struct convert_set, comms), is_comm},
    {offsetof(struct convert_set, contexts), is_context},
    {offsetof(struct convert_set, callers), is_caller},
    {offsetof(struct convert_set, locks), is_lock},
    {offsetof(struct convert_set, ranks), is_rank},
};
enum { POOLS = sizeof(kinds) / sizeof(kinds[0]), COMMON_POOLS = POOLS - 3 };

struct packet {
	uint64_t string_count, string_bytes;
	uint64_t records[POOLS], words[POOLS];
};

static struct convert_pool *pool_of(const struct convert_set *set, int kind)
{
	return (struct convert_pool *)((char *)set + kinds[kind].place);
}

void *convert_set_pack(const struct convert_set *set, bool with_ranks, size_t *bytes)
{
	int pools = with_ranks ? POOLS : COMMON_POOLS;
	struct packet packet = {.string_count = set->strings.count};

	for (size_t i = 0; i < set->strings.count; i++)
		packet.string_bytes += strlen(set->strings.text[i]) + 1;
	size_t padded = (packet.string_bytes + 7) & ~(size_t)7;
	*bytes = sizeof(packet) + padded;
	for (int i = 0; i < pools; i++) {
		packet.records[i] = pool_of(set, i)->count;
		packet.words[i] = pool_of(set, i)->word_count;
		*bytes += (packet.records[i] + packet.words[i]) * sizeof(uint64_t);
	}
	char *packed = calloc(1, *bytes);
	if (packed == NULL || set->failed) {
		free(packed);
		return NULL;
	}
	char *place = mempcpy(packed, &packet, sizeof(packet));
	for (size_t i = 0; i < set->strings.count; i++)
		place = stpcpy(place, set->strings.text[i]) + 1;
	place = packed + sizeof(packet) + padded;
	for (int i = 0; i < pools; i++)
		for (size_t record = 0; record < packet.records[i]; record++) {
			size_t count;
			const uint64_t *words = convert_pool_at(pool_of(set, i), record, &count);
			uint64_t length = count;
			place = mempcpy(place, &length, sizeof(length));
			place = mempcpy(place, words, count * sizeof(*words));
		}
	return packed;
}

static bool is_string(const struct convert_set *set, uint64_t place)
{
	return place < set->strings.count || place == SET_NO_STRING;
}

static bool is_region(const struct convert_set *set, const uint64_t *words, size_t count)
{
	return count == SET_REGION_WORDS && is_string(set, words[SET_REGION_NAME]) &&
	       is_string(set, words[SET_REGION_DESCRIPTION]) &&
	       is_string(set, words[SET_REGION_FILE]) && is_string(set, words[SET_REGION_CODE]);
}

static bool is_metrics(const struct convert_set *set, const uint64_t *words, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (!is_string(set, words[i]))
			return false;
	return count % 3 == 1 && count / 3 <= TRACE_LOG_METRICS_MAX;
}

static bool is_parameter(const struct convert_set *set, const uint64_t *words, size_t count)
{
	return count == 2 && is_string(set, words[0]) && words[1] <= TRACE_LOG_TEXT_STRING;
}

static bool is_comm(const struct convert_set *set, const uint64_t *words, size_t count)
{
	return count >= SET_COMM_WORDS && is_string(set, words[SET_COMM_NAME]);
}

static bool is_context(const struct convert_set *set, const uint64_t *words, size_t count)
{
	return count == SET_CONTEXT_WORDS && is_string(set, words[SET_CONTEXT_FUNCTION]) &&
	       is_string(set, words[SET_CONTEXT_FILE]) && is_string(set, words[SET_CONTEXT_CODE]) &&
	       (words[SET_CONTEXT_PARENT] == SET_NO_CONTEXT ||
		   words[SET_CONTEXT_PARENT] < set->contexts.count);
}

static bool is_caller(const struct convert_set *set, const uint64_t *words, size_t count)
{
	bool is = count == SET_CALLER_WORDS && words[SET_CALLER_REGION] < set->regions.count;

	for (int i = SET_CALLER_FUNCTION; is && i < SET_CALLER_WORDS; i++)
		is = words[i] < set->strings.count;
	return is;
}

static bool is_lock(const struct convert_set *set, const uint64_t *words, size_t count)
{
	return count == SET_LOCK_WORDS && words[SET_LOCK_NAME] < set->strings.count;
}

static bool is_rank(const struct convert_set *set, const uint64_t *words, size_t count)
{
	if (count < SET_RANK_WORDS || !is_string(set, words[SET_RANK_HOST]) ||
	    words[SET_RANK_LOCATIONS] > (count - SET_RANK_WORDS) / 2)
		return false;
	size_t place = SET_RANK_WORDS;
	for (uint64_t i = 0; i < words[SET_RANK_LOCATIONS]; i++, place += 2)
		if (!is_string(set, words[place]))
			return false;
	for (uint64_t i = 0; i < words[SET_RANK_TEAMS]; i++) {
		if (count - place < 2 || words[place + 1] > count - place - 2)
			return false;
		place += 2 + words[place + 1];
	}
	return place == count;
}

bool convert_set_unpack(struct convert_set *set, const void *packed, size_t bytes)
{
	struct packet packet;
	const char *place = packed, *end = place + bytes;

	convert_set_init(set);
	if (bytes < sizeof(packet))
		return false;
	memcpy(&packet, place, sizeof(packet));
	place += sizeof(packet);
	if (packet.string_bytes > (size_t)(end - place))
		return false;
	const char *text = place, *text_end = place + packet.string_bytes;
	for (uint64_t i = 0; i < packet.string_count; i++) {
		const char *nul =
		    text < text_end ? memchr(text, 0, (size_t)(text_end - text)) : NULL;
		if (nul == NULL || convert_set_string(set, text) != i)
			return false;
		text = nul + 1;
	}
	size_t padded = (packet.string_bytes + 7) & ~(size_t)7;
	if (padded > (size_t)(end - place))
		return false;
	place += padded;
	for (int i = 0; i < POOLS; i++)
		for (uint64_t record = 0; record < packet.records[i]; record++) {
			uint64_t length;
			if ((size_t)(end - place) < sizeof(length))
				return false;
			memcpy(&length, place, sizeof(length));
			place += sizeof(length);
			if (length == 0 || length > (size_t)(end - place) / sizeof(uint64_t) ||
			    !kinds[i].is_sound(set, (const uint64_t *)(const void *)place, length))
				return false;
			if (convert_pool_add(pool_of(set, i), (const uint64_t *)(const void *)place,
				length) != record)
				return false;
			place += length * sizeof(uint64_t);
		}
	return !set->failed;
}
