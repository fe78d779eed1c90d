/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table of the lines that one thread alone used often in an epoch. Of each line it has the latest
 * such epoch; when the table is full, further lines are left out.
 */
#include "near-lines.h"

#include "hash-mix.h"
#include "line-records.h"
#include "noted-lines.h"
#include "spin-lock.h"

enum {
	ROOM = 1 << 13,
	MOST_TRIES = 64,
	MOST_IN_ROW = 1024,
};

struct used_line {
	uintptr_t line; /* 0: none */
	uint64_t state, sample;
};

/* Under the lock. */
static struct {
	struct spin_lock lock;
	struct used_line items[ROOM];
} used;

/* The line's place in the table, which is free if it is not there; NULL: there is none. */
static struct used_line *find(uintptr_t line)
{
	const uint64_t hash = hash_mix(1, line);

	for (unsigned i = 0; i < MOST_TRIES; i++) {
		struct used_line *item = &used.items[(hash + i) % ROOM];
		if (item->line == line || item->line == 0)
			return item;
	}
	return NULL;
}

void near_lines_remember(uintptr_t line, uint64_t state, uint64_t sample)
{
	const uint64_t thread = state >> THREAD_SHIFT & LINE_SEVERAL;

	if ((state & (LINE_HAS_RECORD | LINE_UNRECORDED)) != 0 || thread == 0 ||
	    thread == LINE_SEVERAL || sample >> SAMPLE_SHIFT < NEAR_OFTEN)
		return;
	spin_lock_take(&used.lock);
	struct used_line *item = find(line);
	if (item != NULL)
		*item = (struct used_line){line, state, sample};
	spin_lock_give(&used.lock);
}

static void set_side(struct near_lines *near, unsigned side, const struct used_line *item)
{
	near->thread[side] = (uint32_t)(item->state >> THREAD_SHIFT & LINE_SEVERAL);
	near->accesses[side] = (item->sample >> SAMPLE_SHIFT) * SAMPLE_MEAN;
	near->read[side] = bytes_of_words(item->state & LINE_WORDS);
	near->written[side] = bytes_of_words(item->state >> WRITTEN_SHIFT & LINE_WORDS);
	near->place[side] = item->sample & LINE_ADDRESS;
}

/* The line so far away, if it is used; else NULL. */
static const struct used_line *neighbour(const struct used_line *of, intptr_t distance)
{
	const struct used_line *item = find(of->line + (uintptr_t)distance);

	return item != NULL && item->line != 0 ? item : NULL;
}

/* Have both lines the same thread, in the same epoch? */
static bool is_same_part(const struct used_line *one, const struct used_line *other)
{
	return ((one->state ^ other->state) & LINE_OWNER) == 0;
}

/* How many lines in a row from this one on, in steps of a line, are of one thread. */
static unsigned lines_in_row(const struct used_line *item, intptr_t step)
{
	unsigned count = 1;

	for (const struct used_line *next;
	     count < MOST_IN_ROW && (next = neighbour(item, step)) != NULL &&
	     is_same_part(item, next);
	     item = next)
		count++;
	return count;
}

static void look_at_pair(const struct used_line *first, const struct used_line *second,
    void (*found)(const struct near_lines *near))
{
	const intptr_t line = SHARING_LINE_BYTES;
	struct near_lines near = {
	    .first = first->line, .second = (unsigned)(second->line - first->line)};

	set_side(&near, 0, first);
	set_side(&near, 1, second);
	if (near.thread[0] == near.thread[1] ||
	    ((first->state ^ second->state) & (LINE_EPOCHS << EPOCH_SHIFT)) != 0 ||
	    (near.written[0] | near.written[1]) == 0)
		return;
	const uint64_t bytes[2] = {near.read[0] | near.written[0], near.read[1] | near.written[1]};
	near.used = first->line + (unsigned)__builtin_ctzll(bytes[0]);
	near.distance = near.second - SHARING_LINE_BYTES +
			(unsigned)(__builtin_clzll(bytes[0]) + __builtin_ctzll(bytes[1]));
	near.lines[0] = lines_in_row(first, -line);
	near.lines[1] = lines_in_row(second, line);
	found(&near);
}

void near_lines_find(void (*found)(const struct near_lines *near))
{
	for (const struct used_line *item = used.items; item < used.items + ROOM; item++) {
		const struct used_line *next = NULL;
		for (intptr_t distance = SHARING_LINE_BYTES;
		     item->line != 0 && next == NULL && distance < NEAR_LONGEST_LINE;
		     distance += SHARING_LINE_BYTES)
			next = neighbour(item, distance);
		if (next != NULL)
			look_at_pair(item, next, found);
	}
}
