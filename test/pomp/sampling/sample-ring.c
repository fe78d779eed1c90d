/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is read from a ring of the kernel's that is made up here: readings one by one and several at
 * once, records that go on at the begin of the ring, others' records, losses, what is no record;
 * and what was counted between two readings.
 */
#include "sample-ring.h"

#include "check.h"

#include <linux/perf_event.h>
#include <string.h>

enum { PAGE = 4096, WORDS = PAGE / 8, COUNTERS = 2 };

static struct {
	union {
		struct perf_event_mmap_page page;
		char bytes[PAGE];
	};
	uint64_t data[WORDS];
} ring = {.page = {.data_offset = PAGE, .data_size = PAGE}};

static void add_word(uint64_t word)
{
	ring.data[ring.page.data_head / 8 % WORDS] = word;
	ring.page.data_head += 8;
}

static void add_header(uint32_t type, size_t words)
{
	const struct perf_event_header header = {.type = type, .size = (uint16_t)(8 * words)};
	uint64_t word;

	memcpy(&word, &header, sizeof(word));
	add_word(word);
}

static void add_reading(uint64_t enabled, uint64_t running, uint64_t first, uint64_t second)
{
	const uint64_t words[] = {1 + COUNTERS, enabled, running, enabled, first, second};
	const size_t count = sizeof(words) / sizeof(words[0]);

	add_header(PERF_RECORD_SAMPLE, 1 + count);
	for (size_t i = 0; i < count; i++)
		add_word(words[i]);
}

/* Takes what is there; expects so many readings, and these values of the latest. */
static void expect(uint64_t number, uint64_t enabled, uint64_t first, uint64_t second)
{
	struct pomp_ring_reading reading = {0};
	uint64_t found = pomp_ring_take(&ring, COUNTERS, &reading);

	EXPECT(found == number);
	EXPECT(reading.enabled == enabled);
	EXPECT(reading.value[0] == first && reading.value[1] == second);
	EXPECT(ring.page.data_tail == ring.page.data_head);
}

/* Each of many readings, which begin at each word of the ring and go around it. */
static void reads_around(void)
{
	for (uint64_t i = 1; i <= 3 * WORDS; i++) {
		add_reading(i, i, 10 * i, 100 * i);
		expect(1, i, 10 * i, 100 * i);
	}
	expect(0, 0, 0, 0);
	/* The kernel's numbers grow for good. */
	ring.page.data_head = ring.page.data_tail = UINT64_MAX - 15;
	add_reading(7, 7, 8, 9);
	expect(1, 7, 8, 9);
}

static void reads_the_latest(void)
{
	add_reading(1, 1, 1, 1);
	add_reading(2, 2, 5, 6);
	expect(2, 2, 5, 6);
}

static void leaves_out_others(void)
{
	add_header(PERF_RECORD_THROTTLE, 4);
	for (int i = 0; i < 3; i++)
		add_word(UINT64_MAX);
	add_reading(3, 3, 7, 8);
	add_header(PERF_RECORD_UNTHROTTLE, 4);
	for (int i = 0; i < 3; i++)
		add_word(UINT64_MAX);
	expect(1, 3, 7, 8);
	/* A reading of another number of counters is none of these. */
	add_header(PERF_RECORD_SAMPLE, 3);
	add_word(1 + COUNTERS);
	add_word(99);
	expect(0, 0, 0, 0);
}

static void counts_losses(void)
{
	add_reading(4, 4, 9, 9);
	add_header(PERF_RECORD_LOST, 3);
	add_word(12345);
	add_word(5);
	expect(6, 4, 9, 9);
}

/* A record that says that it is empty, or longer than what is there, ends the reading. */
static void survives_nonsense(void)
{
	add_header(PERF_RECORD_SAMPLE, 0);
	expect(0, 0, 0, 0);
	add_header(PERF_RECORD_SAMPLE, 1000);
	expect(0, 0, 0, 0);
	add_reading(5, 5, 10, 11);
	expect(1, 5, 10, 11);
}

static void subtracts(void)
{
	struct pomp_ring_reading before = {0};
	uint64_t counts[SAMPLE_COUNTERS_MOST];

	EXPECT(pomp_ring_since(&before, &(struct pomp_ring_reading){100, 100, {7, 5}}, counts));
	EXPECT(counts[0] == 7 && counts[1] == 5);
	EXPECT(pomp_ring_since(&before, &(struct pomp_ring_reading){250, 250, {17, 6}}, counts));
	EXPECT(counts[0] == 10 && counts[1] == 1);
	/* Others had the counters for 10 ns; afterwards what is counted is known again. */
	EXPECT(!pomp_ring_since(&before, &(struct pomp_ring_reading){300, 290, {20, 7}}, counts));
	EXPECT(pomp_ring_since(&before, &(struct pomp_ring_reading){400, 390, {29, 7}}, counts));
	EXPECT(counts[0] == 9 && counts[1] == 0);
	/* The thread has another clock, whose counters began at 0. */
	EXPECT(pomp_ring_since(&before, &(struct pomp_ring_reading){50, 50, {30, 3}}, counts));
	EXPECT(counts[0] == 30 && counts[1] == 3);
}

int main(void)
{
	reads_around();
	reads_the_latest();
	leaves_out_others();
	counts_losses();
	survives_nonsense();
	subtracts();
	return 0;
}
