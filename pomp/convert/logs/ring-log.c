/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Of a ring's segments those count that were begun one after the other up to the latest one: of a
 * copy of a running program's ring, one in between may be missing. What was open is read of the
 * first segment only; the records of each lead to the state of the next.
 */
#include "ring-log.h"

#include <stdlib.h>
#include <string.h>

struct segment {
	struct trace_log_segment head;
	const uint64_t *words; /* behind the head */
};

static int by_number(const void *left, const void *right)
{
	const struct segment *one = left, *two = right;

	return one->head.number < two->head.number ? -1 : one->head.number > two->head.number;
}

/* Fills in the complete segments in their order. Returns their number. */
static size_t list_segments(struct segment *list, const char *first, size_t bytes, size_t count)
{
	size_t found = 0, words = bytes / sizeof(uint64_t) - TRACE_LOG_SEGMENT_WORDS;

	for (size_t i = 0; i < count; i++) {
		struct segment *segment = &list[found];
		memcpy(&segment->head, first + i * bytes, sizeof(segment->head));
		segment->words =
		    (const uint64_t *)(const void *)(first + i * bytes) + TRACE_LOG_SEGMENT_WORDS;
		found += segment->head.number != 0 && segment->head.state <= words;
	}
	qsort(list, found, sizeof(*list), by_number);
	return found;
}

/* Returns the first segment of those without a gap up to the last one. */
static size_t first_connected(const struct segment *list, size_t count)
{
	size_t first = count;

	while (first > 0 &&
	       (first == count || list[first].head.number == list[first - 1].head.number + 1))
		first--;
	return first;
}

/* Appends the segment's records: its time, and then all words up to the last one that is used. */
static uint64_t *append(uint64_t *place, const struct segment *segment, size_t words, bool is_first)
{
	const uint64_t *from = segment->words + (is_first ? 0 : segment->head.state);
	const uint64_t *end = segment->words + words;

	while (end > from && end[-1] == 0)
		end--;
	*place++ = TRACE_LOG_TIME;
	*place++ = trace_log_payload(segment->head.start);
	return mempcpy(place, from, (size_t)(end - from) * sizeof(*place));
}

bool convert_ring_unroll(struct convert_log *log, uint64_t segment_bytes)
{
	size_t bytes = log->mapping_bytes - TRACE_LOG_HEADER_BYTES;
	const char *first = (const char *)log->mapping + TRACE_LOG_HEADER_BYTES;
	size_t count = segment_bytes < TRACE_LOG_SEGMENT_LEAST || segment_bytes % sizeof(uint64_t)
			   ? 0
			   : bytes / segment_bytes;

	struct segment *list = malloc((count + 1) * sizeof(*list));
	log->unrolled = malloc(count * segment_bytes + 1);
	if (list == NULL || log->unrolled == NULL) {
		free(list);
		return false;
	}
	uint64_t *place = log->unrolled;
	size_t found = list_segments(list, first, segment_bytes, count);
	size_t begin = first_connected(list, found);
	if (begin < found) {
		log->start = list[begin].head.start;
		log->lacks_earlier = list[begin].head.number > 1;
	}
	for (size_t i = begin; i < found; i++)
		place = append(place, &list[i],
		    segment_bytes / sizeof(uint64_t) - TRACE_LOG_SEGMENT_WORDS, i == begin);
	free(list);
	log->words = log->unrolled;
	log->end = place;
	return true;
}
