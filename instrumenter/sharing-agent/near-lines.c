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
	MEAN_PERIOD = 15, /* accesses for a sample */
	ROOM = 1 << 13,
	MOST_TRIES = 64,
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
	near->accesses[side] = (item->sample >> SAMPLE_SHIFT) * MEAN_PERIOD;
	near->read[side] = bytes_of_words(item->state & LINE_WORDS);
	near->written[side] = bytes_of_words(item->state >> WRITTEN_SHIFT & LINE_WORDS);
	near->place[side] = item->sample & LINE_ADDRESS;
}

static void look_at_pair(const struct used_line *first, const struct used_line *second,
    void (*found)(const struct near_lines *near))
{
	struct near_lines near = {.first = first->line};

	set_side(&near, 0, first);
	set_side(&near, 1, second);
	if (near.thread[0] == near.thread[1] ||
	    ((first->state ^ second->state) & (LINE_EPOCHS << EPOCH_SHIFT)) != 0 ||
	    (near.written[0] | near.written[1]) == 0)
		return;
	const uint64_t bytes[2] = {near.read[0] | near.written[0], near.read[1] | near.written[1]};
	near.used = first->line + (unsigned)__builtin_ctzll(bytes[0]);
	near.distance = (unsigned)(__builtin_clzll(bytes[0]) + __builtin_ctzll(bytes[1]));
	found(&near);
}

void near_lines_find(void (*found)(const struct near_lines *near))
{
	for (const struct used_line *item = used.items; item < used.items + ROOM; item++) {
		const struct used_line *next =
		    item->line != 0 ? find(item->line + SHARING_LINE_BYTES) : NULL;
		if (next != NULL && next->line != 0)
			look_at_pair(item, next, found);
	}
}
