/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random bytes mostly end a log early, at a word that makes no sense. Here every log stays one to
 * its end, and what a record or an entry says is wrong: numbers that were not given out, begins
 * without ends, times far away.
 */
#include "mutate.h"

#include <stdbool.h>
#include <string.h>

#include "shared/trace-log.h"

#define WORDS(name, words, events, meaning) [TRACE_LOG_##name] = (words),
static const unsigned char payload_words[TRACE_LOG_KIND_COUNT] = {TRACE_LOG_KINDS(WORDS)};

enum { LENGTH = 2, ENTRY = sizeof(struct trace_log_entry) };

/* One log within the input. */
struct part {
	uint8_t *length, *bytes; /* length: low byte first */
	size_t size;
};

struct mutation {
	uint8_t *data;
	size_t size, most;
	uint64_t random;
};

static uint64_t next_random(struct mutation *mutation)
{
	uint64_t value = mutation->random += UINT64_C(0x9e3779b97f4a7c15);

	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

static size_t below(struct mutation *mutation, size_t limit)
{
	return limit > 0 ? (size_t)(next_random(mutation) % limit) : 0;
}

/* What numbers go wrong at: the least, the greatest, those of others, any. */
static uint64_t wrong_number(struct mutation *mutation)
{
	static const uint64_t numbers[] = {0, 1, 2, 3, 7, 64, TRACE_LOG_ARGUMENT_MAX - 1,
	    TRACE_LOG_ARGUMENT_MAX, INT32_MAX, UINT32_MAX, UINT64_C(1) << 32, UINT64_C(1) << 40,
	    (UINT64_C(1) << 58) - 1};
	size_t which = below(mutation, sizeof(numbers) / sizeof(numbers[0]) + 2);

	if (which < sizeof(numbers) / sizeof(numbers[0]))
		return numbers[which];
	return next_random(mutation) >> below(mutation, 64);
}

/* The log of that place; false when there are not so many. */
static bool find_part(const struct mutation *mutation, size_t place, struct part *part)
{
	uint8_t *next = mutation->data, *end = mutation->data + mutation->size;

	for (;; place--) {
		if (end - next < LENGTH)
			return false;
		*part = (struct part){next, next + LENGTH, next[0] | (size_t)next[1] << 8};
		if (part->size > (size_t)(end - part->bytes))
			return false;
		if (place == 0)
			return true;
		next = part->bytes + part->size;
	}
}

/* Puts `count` bytes in place of `old` ones; false where there is no room. */
static bool replace(struct mutation *mutation, struct part *part, size_t at, size_t old,
    const void *bytes, size_t count)
{
	uint8_t *place = part->bytes + at;
	size_t size = part->size - old + count;

	if (size > UINT16_MAX || mutation->size - old + count > mutation->most)
		return false;
	memmove(
	    place + count, place + old, (size_t)(mutation->data + mutation->size - place) - old);
	memcpy(place, bytes, count);
	mutation->size += count - old;
	part->size = size;
	part->length[0] = (uint8_t)size;
	part->length[1] = (uint8_t)(size >> 8);
	return true;
}

static uint64_t word_at(const struct part *part, size_t at)
{
	uint64_t word;

	memcpy(&word, part->bytes + at, sizeof(word));
	return word;
}

/* The bytes of the record there; 0: it is none, or not whole. */
static size_t record_size(const struct part *part, size_t at)
{
	if (part->size < at + sizeof(uint64_t))
		return 0;
	uint64_t word = word_at(part, at);
	unsigned kind = trace_log_kind_of(word);
	size_t words = kind == TRACE_LOG_METRICS     ? trace_log_argument_of(word)
		       : kind < TRACE_LOG_KIND_COUNT ? payload_words[kind]
						     : 0;
	size_t size = (1 + words) * sizeof(word);

	return kind == TRACE_LOG_END || kind >= TRACE_LOG_KIND_COUNT || size > part->size - at
		   ? 0
		   : size;
}

/* A record of any kind, or of that one, with the words that belong to it. */
static size_t make_record(struct mutation *mutation, uint64_t *words, unsigned kind)
{
	if (kind == TRACE_LOG_END)
		kind = 1 + (unsigned)below(mutation, TRACE_LOG_KIND_COUNT - 1);
	uint64_t argument = wrong_number(mutation) & TRACE_LOG_ARGUMENT_MAX;
	size_t count = kind == TRACE_LOG_METRICS ? argument % (TRACE_LOG_METRICS_MAX + 1)
						 : payload_words[kind];

	if (kind == TRACE_LOG_METRICS)
		argument = count;
	words[0] =
	    kind | argument << TRACE_LOG_KIND_BITS | below(mutation, 1000) << TRACE_LOG_TIME_SHIFT;
	for (size_t i = 1; i <= count; i++)
		words[i] = kind == TRACE_LOG_METRICS ? next_random(mutation)
						     : trace_log_payload(wrong_number(mutation));
	return (1 + count) * sizeof(*words);
}

static void mutate_records(struct mutation *mutation, struct part *part)
{
	size_t at = sizeof(struct trace_log_thread), records = 0, size;
	uint64_t words[TRACE_LOG_METRICS_MAX + TRACE_LOG_RECORD_WORDS];

	for (; (size = record_size(part, at)) > 0; at += size)
		records++;
	at = sizeof(struct trace_log_thread);
	if (records == 0)
		return;
	for (size_t skip = below(mutation, records); skip > 0; skip--)
		at += record_size(part, at);
	size = record_size(part, at);
	uint64_t word = word_at(part, at);
	switch (below(mutation, 7)) {
	case 0: /* another record */
		replace(
		    mutation, part, at, size, words, make_record(mutation, words, TRACE_LOG_END));
		break;
	case 1: /* of that kind, but of something else */
		replace(mutation, part, at, size, words,
		    make_record(mutation, words, trace_log_kind_of(word)));
		break;
	case 2: /* one more */
		replace(mutation, part, at, 0, words, make_record(mutation, words, TRACE_LOG_END));
		break;
	case 3: /* one less */
		replace(mutation, part, at, size, "", 0);
		break;
	case 4: /* once more */
		if (size <= sizeof(words)) {
			memcpy(words, part->bytes + at, size);
			replace(mutation, part, at, 0, words, size);
		}
		break;
	case 5: /* long ago, or far away */
		words[0] = (word & ((UINT64_C(1) << TRACE_LOG_TIME_SHIFT) - 1)) |
			   wrong_number(mutation) << TRACE_LOG_TIME_SHIFT;
		replace(mutation, part, at, sizeof(word), words, sizeof(word));
		break;
	default: /* an argument, or the number of a region */
		words[0] = (word & ~(TRACE_LOG_ARGUMENT_MAX << TRACE_LOG_KIND_BITS)) |
			   (wrong_number(mutation) & TRACE_LOG_ARGUMENT_MAX) << TRACE_LOG_KIND_BITS;
		if (trace_log_kind_of(word) != TRACE_LOG_METRICS)
			replace(mutation, part, at, sizeof(word), words, sizeof(word));
		break;
	}
}

/* With its padding; 0: there is none. */
static size_t entry_size(const struct part *part, size_t at)
{
	struct trace_log_entry entry;

	if (part->size < at + ENTRY)
		return 0;
	memcpy(&entry, part->bytes + at, ENTRY);
	size_t size = ENTRY + (((size_t)entry.bytes + 7) & ~(size_t)7);
	return size > part->size - at ? 0 : size;
}

static void mutate_entry(struct mutation *mutation, struct part *part, size_t at, size_t size)
{
	uint8_t copy[512];
	struct trace_log_entry entry;
	uint32_t number = (uint32_t)wrong_number(mutation);

	memcpy(&entry, part->bytes + at, ENTRY);
	switch (below(mutation, 6)) {
	case 0:
		entry.type = 1 + (uint32_t)below(mutation, TRACE_LOG_HOST);
		replace(mutation, part, at, ENTRY, &entry, ENTRY);
		break;
	case 1: /* without its last byte, which ends a text */
		entry.bytes -= (entry.bytes & 7) != 1 && entry.bytes > 0;
		replace(mutation, part, at, ENTRY, &entry, ENTRY);
		break;
	case 2:
		if (size <= sizeof(copy)) {
			memcpy(copy, part->bytes + at, size);
			replace(mutation, part, at, 0, copy, size);
		}
		break;
	case 3:
		replace(mutation, part, at, size, "", 0);
		break;
	default: /* a number in its head, mostly its own */
		if (entry.bytes >= sizeof(number))
			memcpy(part->bytes + at + ENTRY +
				   below(mutation,
				       1 + below(mutation,
					       entry.bytes / 4 < 12 ? entry.bytes / 4 : 12)) *
				       4,
			    &number, sizeof(number));
		break;
	}
}

static void mutate_definitions(struct mutation *mutation, struct part *part)
{
	size_t at = sizeof(struct trace_log_process), entries = 0, size;

	for (; (size = entry_size(part, at)) > 0; at += size)
		entries++;
	at = sizeof(struct trace_log_process);
	if (entries == 0)
		return;
	for (size_t skip = below(mutation, entries); skip > 0; skip--)
		at += entry_size(part, at);
	mutate_entry(mutation, part, at, entry_size(part, at));
}

/* A moment, or the number of a location; not the magic number. */
static void mutate_head(struct mutation *mutation, struct part *part, size_t size)
{
	uint64_t number = wrong_number(mutation);

	if (part->size >= size)
		memcpy(
		    part->bytes + (1 + below(mutation, size / 8 - 1)) * 8, &number, sizeof(number));
}

size_t mutate_logs(uint8_t *data, size_t size, size_t most, uint64_t seed)
{
	struct mutation mutation = {data, size, most, seed};
	struct part part;
	size_t logs = 0;

	while (find_part(&mutation, logs, &part))
		logs++;
	size_t which =
	    below(&mutation, logs + 1); /* the definitions twice as often as one thread */
	which = which == logs ? 0 : which;
	if (!find_part(&mutation, which, &part))
		return size;
	bool in_head = below(&mutation, 16) == 0;
	if (in_head)
		mutate_head(&mutation, &part,
		    which == 0 ? sizeof(struct trace_log_process)
			       : sizeof(struct trace_log_thread));
	else if (which == 0)
		mutate_definitions(&mutation, &part);
	else
		mutate_records(&mutation, &part);
	return mutation.size;
}
