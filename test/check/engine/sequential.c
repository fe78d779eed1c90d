/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The total order S of sequentially consistent operations (C11, 7.17.3, with the coherence rules of
 * C++20, 31.4). It is kept as a partial order, which represents every total order that completes
 * it. A new event comes after the events that happen before it and those that it follows at its own
 * location, and before those that it precedes there. An event that would close a circle is not
 * allowed.
 */
#include <string.h>

#include "engine.h"

enum { EVENTS = 2048, WORDS = EVENTS / 64 };

static uint64_t before_of[EVENTS][WORDS]; /* transitive */
static uint32_t event_count;

void sequential_reset(void)
{
	event_count = 0;
}

static bool contains(const uint64_t *set, int event)
{
	return set[event / 64] >> event % 64 & 1;
}

static uint32_t words(void)
{
	return event_count / 64 + 1;
}

/* Computes the transitive closure of the listed events. */
static void close_before(uint64_t *set, const int *before, size_t count)
{
	memset(set, 0, WORDS * sizeof(*set));
	for (size_t i = 0; i < count; i++) {
		if (contains(set, before[i]))
			continue;
		for (uint32_t word = 0; word < words(); word++)
			set[word] |= before_of[before[i]][word];
		set[before[i] / 64] |= (uint64_t)1 << before[i] % 64;
	}
}

bool sequential_allows(const int *before, size_t before_count, const int *after, size_t after_count)
{
	uint64_t set[WORDS];

	close_before(set, before, before_count);
	for (size_t i = 0; i < after_count; i++)
		if (contains(set, after[i]))
			return false;
	return true;
}

int sequential_add(const int *before, size_t before_count, const int *after, size_t after_count)
{
	int event = (int)event_count;
	uint64_t *set = before_of[event];

	if (event_count + 1 == EVENTS)
		report_failure(NULL, "more than %d sequential operations in one run", EVENTS);
	event_count++;
	close_before(set, before, before_count);
	for (int other = 0; other < event; other++) {
		bool follows = false;

		for (size_t i = 0; i < after_count && !follows; i++)
			follows = other == after[i] || contains(before_of[other], after[i]);
		if (!follows)
			continue;
		for (uint32_t word = 0; word < words(); word++)
			before_of[other][word] |= set[word];
		before_of[other][event / 64] |= (uint64_t)1 << event % 64;
	}
	return event;
}
