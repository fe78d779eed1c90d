/* SPDX-License-Identifier: BSD-3-Clause */
/* What ended waits as it becomes known: at once, later, much later, and in any order. */
#include "remote-ends.h"

#include <stdio.h>
#include <stdlib.h>

#include "path.h"

static int failures;

static void expect(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "FAIL: %s\n", what);
	failures++;
}

enum { ENDS = 50000, THREADS = 3 };

/* Wait i of a thread lasts until 10 i + 10; every third was ended by nothing. */
static struct remote_end end_of(uint32_t thread, uint64_t i)
{
	return (struct remote_end){.to = 10 * i + 10,
	    .at = 10 * i + 9 - i % 8,
	    .by = i % 3 == 2 ? PATH_NONE : (uint32_t)(i % 7 + 10 * (uint64_t)thread)};
}

static void know(struct remote_ends *ends, const uint64_t *numbers, uint32_t thread, uint64_t i)
{
	struct remote_end end = end_of(thread, i);

	remote_ends_know(ends, thread, numbers[i], &end);
}

struct seen {
	size_t count;
	struct remote_ends *copy;
	uint32_t thread;
};

static void see(void *context, const struct remote_end *end)
{
	struct seen *seen = context;

	seen->count++;
	if (seen->copy)
		remote_ends_add(seen->copy, seen->thread, end);
}

static void check(struct remote_ends *ends, uint32_t thread, const char *what)
{
	struct remote_end found;
	size_t right = 0, count = 0;
	struct seen seen = {0};

	for (uint64_t i = 0; i < ENDS; i++) {
		struct remote_end end = end_of(thread, i);
		bool is_found = remote_ends_find(ends, thread, end.to, &found);

		count += end.by != PATH_NONE;
		right += is_found ? found.to == end.to && found.at == end.at && found.by == end.by
				  : end.by == PATH_NONE;
		right -= remote_ends_find(ends, thread, end.to - 1, &found);
	}
	remote_ends_for_each(ends, thread, see, &seen);
	expect(right == ENDS && seen.count == count, what);
}

/* The last end until a time. */
static void check_before(struct remote_ends *ends, uint32_t thread, const char *what)
{
	struct remote_end found;
	size_t right = 0;

	expect(!remote_ends_before(ends, thread, 9, &found), "nothing is before the first end");
	for (uint64_t i = 0; i < ENDS; i++) {
		uint64_t last = i % 3 == 2 ? i - 1 : i;

		right += remote_ends_before(ends, thread, 10 * i + 10 + i % 10, &found) &&
			 found.to == 10 * last + 10;
	}
	expect(right == ENDS, what);
}

/* Wait i is known when `late` further ones have been opened. */
static struct remote_ends *make_late(uint64_t late)
{
	static uint64_t numbers[THREADS][ENDS];
	struct remote_ends *ends = remote_ends_new(THREADS, 0);

	for (uint64_t i = 0; i < ENDS + late; i++) {
		for (uint32_t thread = 0; thread < THREADS - 1; thread++) {
			if (i < ENDS)
				numbers[thread][i] =
				    remote_ends_open(ends, thread, end_of(thread, i).to);
			if (i >= late)
				know(ends, numbers[thread], thread, i - late);
		}
	}
	remote_ends_finish(ends);
	return ends;
}

/* They are known in another order, and those of a number that `never` divides at the very end. */
static struct remote_ends *make_mixed(uint64_t group, uint64_t never)
{
	static uint64_t numbers[ENDS];
	struct remote_ends *ends = remote_ends_new(THREADS, 0);

	for (uint64_t first = 0; first < ENDS; first += group) {
		uint64_t end = first + group < ENDS ? first + group : ENDS;

		for (uint64_t i = first; i < end; i++)
			numbers[i] = remote_ends_open(ends, 0, end_of(0, i).to);
		for (uint64_t i = end; i-- > first;) {
			if (i % never)
				know(ends, numbers, 0, i);
		}
	}
	for (uint64_t i = ENDS; i-- > 0;) {
		if (i % never == 0)
			know(ends, numbers, 0, i);
	}
	remote_ends_finish(ends);
	return ends;
}

static void check_copy(struct remote_ends *ends, uint32_t thread)
{
	struct seen seen = {.copy = remote_ends_new(THREADS, 0), .thread = thread};

	remote_ends_for_each(ends, thread, see, &seen);
	remote_ends_finish(seen.copy);
	check(seen.copy, thread, "a copy");
	remote_ends_free(seen.copy);
}

int main(void)
{
	static const uint64_t lates[] = {0, 1, 100, REMOTE_OPEN_MOST, 2 * REMOTE_OPEN_MOST, ENDS};
	struct remote_end found;

	for (size_t i = 0; i < sizeof(lates) / sizeof(lates[0]); i++) {
		struct remote_ends *ends = make_late(lates[i]);

		for (uint32_t thread = 0; thread < THREADS - 1; thread++)
			check(ends, thread, "ends that are known later");
		expect(!remote_ends_find(ends, THREADS - 1, 10, &found) &&
			   !remote_ends_before(ends, THREADS - 1, 10, &found),
		    "a thread without ends");
		if (lates[i] < REMOTE_OPEN_MOST)
			check_before(ends, 1, "the last end until then");
		remote_ends_free(ends);
	}
	for (uint64_t group = 1; group < 4 * REMOTE_OPEN_MOST; group *= 20) {
		struct remote_ends *ends = make_mixed(group, 97);

		check(ends, 0, "ends that are known in another order");
		check_copy(ends, 0);
		remote_ends_free(ends);
	}
	return failures > 0;
}
