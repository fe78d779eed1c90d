/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread's table has chains of counts, which only the thread itself writes; a new count is
 * released, so that the thread that writes the log finds it whole. Lines that follow each other
 * mostly count alike, so an instruction's latest count is looked at first. Counts are by parts of
 * the memory, which only the log's writer joins to blocks of the heap.
 */
#include "line-moves.h"

#include "hash-mix.h"
#include "heap-blocks.h"
#include "record-memory.h"

#include <string.h>

enum {
	CHAINS = 1 << 11,
	COUNTS_AT_ONCE = 16,
	PART_SHIFT = 18,
	JOINED = 1 << 14,
	MOST_TRIES = 64,
	LATEST = 16,
};

struct moved_table {
	struct moved_table *next;                             /* in the list of all; constant */
	struct moved_count *latest[LATEST], *free, *free_end; /* by instructions */
	_Atomic(struct moved_count *) chains[CHAINS];
};

static _Atomic(struct moved_table *) tables;

/* The log's writer has it for itself. */
static struct moved_count joined[JOINED];

static uint64_t number_of(uint64_t state)
{
	return state >> THREAD_SHIFT & LINE_SEVERAL;
}

static bool is_dirty(uint64_t state)
{
	return (state & (LINE_WORDS << WRITTEN_SHIFT | LINE_DIRTY)) != 0;
}

uint64_t line_moves_marks(const struct noting_thread *self, uint64_t before, bool writes)
{
	const uint64_t marks = (self->is_in_task ? LINE_BY_TASK : 0) |
			       (self->is_serial ? LINE_BY_SERIAL : 0) |
			       (self->is_in_chunks ? LINE_BY_CHUNKS : 0);

	if (number_of(before) == number_of(self->tag))
		return marks | (is_dirty(before) ? LINE_DIRTY : 0);
	if (before != 0 && number_of(before) != LINE_SEVERAL && (is_dirty(before) || writes))
		return marks | LINE_MOVED;
	return marks;
}

static struct moved_table *table_of(struct noting_thread *self)
{
	struct moved_table *table = self->moved;

	if (table != NULL)
		return table;
	self->moved = table = record_memory_take(sizeof *table);
	if (table == NULL)
		return NULL;
	table->next = load_relaxed(&tables);
	while (!exchange_if_release(&tables, &table->next, table))
		;
	return table;
}

static bool is_same(const struct moved_pair *one, const struct moved_pair *other)
{
	return one->now == other->now && one->before == other->before &&
	       one->memory == other->memory && one->region == other->region &&
	       one->region_before == other->region_before && one->flags == other->flags;
}

static uint64_t hash_of(const struct moved_pair *pair)
{
	uint64_t hash = hash_mix(pair->flags, pair->now);

	hash = hash_mix(hash_mix(hash, pair->before), pair->memory);
	return hash_mix(hash_mix(hash, pair->region), pair->region_before);
}

/* NULL: there is no memory. */
static struct moved_count *new_count(struct moved_table *table, const struct moved_pair *pair)
{
	if (table->free == table->free_end) {
		table->free = record_memory_take(COUNTS_AT_ONCE * sizeof *table->free);
		table->free_end = table->free != NULL ? table->free + COUNTS_AT_ONCE : NULL;
	}
	if (table->free == NULL)
		return NULL;
	struct moved_count *count = table->free++;
	count->pair = *pair;
	return count;
}

/* The thread's count of the pair, with the member and the epoch noted; NULL: there is no memory. */
static struct moved_count *count_of(
    struct noting_thread *self, const struct moved_pair *pair, uintptr_t address)
{
	struct moved_table *table = table_of(self);

	if (table == NULL)
		return NULL;
	struct moved_count **latest = &table->latest[(pair->now ^ pair->now >> 4) % LATEST];
	struct moved_count *count = *latest;
	if (count == NULL || !is_same(&count->pair, pair)) {
		_Atomic(struct moved_count *) *chain = &table->chains[hash_of(pair) % CHAINS];
		count = load_relaxed(chain);
		while (count != NULL && !is_same(&count->pair, pair))
			count = count->next;
		if (count == NULL && (count = new_count(table, pair)) != NULL) {
			count->address = address;
			count->next = load_relaxed(chain);
			store_release(chain, count);
		}
		if (count == NULL)
			return NULL;
		*latest = count;
	}
	if (count->epochs == 0 || count->epoch != self->epoch) {
		const int member = self->member < 0 ? 0 : self->member;
		count->members |= UINT64_C(1) << (member < 63 ? member : 63);
		count->epoch = self->epoch;
		count->epochs++;
	}
	return count;
}

void line_moves_note(struct noting_thread *self, uint64_t before, uint64_t sample, uint64_t state,
    const struct noted_access *access)
{
	struct moved_pair pair = {
	    .now = access->place, .memory = access->address >> PART_SHIFT, .region = self->region};

	if (self->is_in_task)
		pair.flags |= MOVED_TO_TASK | (self->is_stolen ? MOVED_TO_STOLEN : 0);
	pair.flags |= (self->is_serial ? MOVED_TO_SERIAL : 0) |
		      (self->is_in_chunks ? MOVED_TO_CHUNKS : 0) |
		      (access->writes ? MOVED_BY_WRITE : 0);
	if (before != 0) {
		pair.before = sample & LINE_ADDRESS;
		pair.region_before = noting_epoch_region(before >> EPOCH_SHIFT);
		pair.flags |= ((before & LINE_BY_TASK) != 0 ? MOVED_FROM_TASK : 0) |
			      ((before & LINE_BY_SERIAL) != 0 ? MOVED_FROM_SERIAL : 0) |
			      ((before & LINE_BY_CHUNKS) != 0 ? MOVED_FROM_CHUNKS : 0);
	}
	struct moved_count *count = count_of(self, &pair, access->address);
	if (count == NULL)
		return;
	count->uses++;
	count->moved += (state & LINE_MOVED) != 0;
}

void line_moves_take_back(
    struct noting_thread *self, uint64_t state, uint64_t sample, uintptr_t address)
{
	if ((state & LINE_MOVED) == 0)
		return;
	const struct moved_pair pair = {.now = sample & LINE_ADDRESS,
	    .memory = address >> PART_SHIFT,
	    .region = self->region,
	    .flags = MOVED_BACK};
	struct moved_count *count = count_of(self, &pair, address);
	if (count != NULL)
		count->moved++;
}

void line_moves_count_task(struct noting_thread *self, uintptr_t site, bool is_stolen)
{
	const struct moved_pair pair = {.now = site, .flags = MOVED_TASKS};
	struct moved_count *count = count_of(self, &pair, 0);

	if (count == NULL)
		return;
	count->uses++;
	count->moved += is_stolen;
}

/* The same count in the joined ones, or a free place for it; NULL: there is none. */
static struct moved_count *find_joined(const struct moved_pair *pair)
{
	const uint64_t hash = hash_of(pair);

	for (unsigned i = 0; i < MOST_TRIES; i++) {
		struct moved_count *at = &joined[(hash + i) % JOINED];
		if (at->epochs == 0 || is_same(&at->pair, pair))
			return at;
	}
	return NULL;
}

/* All blocks of the heap that one call allocates are one; the block found last is looked at first.
 */
static uintptr_t memory_of(const struct moved_count *count)
{
	static struct heap_block block;

	if (count->address - block.start >= block.size)
		heap_block_find(count->address, &block);
	return block.size != 0 && block.allocation != NULL ? (uintptr_t)block.allocation
							   : count->pair.memory;
}

static void join(const struct moved_count *count, void (*found)(const struct moved_count *count))
{
	struct moved_pair pair = count->pair;

	if (pair.flags != MOVED_TASKS)
		pair.memory = memory_of(count);
	struct moved_count *at = find_joined(&pair);
	if (at == NULL) {
		found(count);
		return;
	}
	if (at->epochs == 0) {
		*at = *count;
		at->pair = pair;
		return;
	}
	at->uses += count->uses;
	at->moved += count->moved;
	at->members |= count->members;
	at->epochs = count->epochs > at->epochs ? count->epochs : at->epochs;
}

void line_moves_find(void (*found)(const struct moved_count *count))
{
	for (const struct moved_table *table = load_acquire(&tables); table != NULL;
	     table = table->next)
		for (size_t i = 0; i < CHAINS; i++)
			for (const struct moved_count *count = load_acquire(&table->chains[i]);
			     count != NULL; count = count->next)
				if (count->epochs != 0)
					join(count, found);
	for (size_t i = 0; i < JOINED; i++)
		if (joined[i].epochs != 0)
			found(&joined[i]);
}
