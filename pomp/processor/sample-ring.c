/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads records. The kernel adds them at data_head, in an interrupt of the thread whose handler
 * removes them at data_tail; it drops what does not fit between the two, and later tells how much.
 *
 * Who sees what: all that is before data_head is complete (acquire); the kernel writes over what is
 * before data_tail, which has been read (release).
 */
#include "sample-ring.h"

#include "pomp-atomics.h"

#include <linux/perf_event.h>

/* Words behind the header of a reading, by the event's attributes, and of a loss. */
enum { READING_NUMBER, READING_ENABLED, READING_RUNNING, READING_CLOCK, READING_VALUES };
enum { LOST_ID, LOST_NUMBER, LOST_WORDS };

#define WORD sizeof(uint64_t)

/* Records begin at words, and go on at the begin of the data behind its end. */
static uint64_t word_at(const struct perf_event_mmap_page *page, uint64_t at)
{
	const char *data = (const char *)page + page->data_offset;

	return *(const uint64_t *)(data + at % page->data_size);
}

static struct perf_event_header header_at(const struct perf_event_mmap_page *page, uint64_t at)
{
	union {
		uint64_t word;
		struct perf_event_header header;
	} read = {.word = word_at(page, at)};

	return read.header;
}

static void read_values(const struct perf_event_mmap_page *page, uint64_t at, unsigned counters,
    struct pomp_ring_reading *reading)
{
	reading->enabled = word_at(page, at + READING_ENABLED * WORD);
	reading->running = word_at(page, at + READING_RUNNING * WORD);
	for (unsigned i = 0; i < counters; i++)
		reading->value[i] = word_at(page, at + (READING_VALUES + i) * WORD);
}

uint64_t pomp_ring_take(void *ring, unsigned counters, struct pomp_ring_reading *reading)
{
	struct perf_event_mmap_page *page = ring;
	uint64_t head = load_word_acquire(&page->data_head), at = page->data_tail, found = 0;

	while (head - at >= WORD) {
		struct perf_event_header header = header_at(page, at);
		uint64_t inside = at + WORD;
		if (header.size < WORD || header.size % WORD != 0 || header.size > head - at)
			break;
		if (header.type == PERF_RECORD_SAMPLE &&
		    header.size == (1 + READING_VALUES + counters) * WORD &&
		    word_at(page, inside + READING_NUMBER * WORD) == 1 + counters) {
			read_values(page, inside, counters, reading);
			found++;
		} else if (header.type == PERF_RECORD_LOST &&
			   header.size >= (1 + LOST_WORDS) * WORD) {
			found += word_at(page, inside + LOST_NUMBER * WORD);
		}
		at += header.size;
	}
	store_word_release(&page->data_tail, head);
	return found;
}

bool pomp_ring_since(
    struct pomp_ring_reading *before, const struct pomp_ring_reading *now, uint64_t *counts)
{
	if (now->enabled < before->enabled)
		*before = (struct pomp_ring_reading){0};
	bool known = now->enabled - before->enabled == now->running - before->running;
	for (unsigned i = 0; i < SAMPLE_COUNTERS_MOST; i++)
		counts[i] = now->value[i] - before->value[i];
	*before = *now;
	return known;
}
