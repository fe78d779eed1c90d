/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pairs are bits of a matrix, in both directions. A pair that closes a cycle is rare: then all
 * locks that are on a cycle with it get a common number, their knot, and a pair is a part of a
 * cycle if both have the same. All memory is static.
 */
#include "lock-graph.h"

#include "agent-atomics.h"
#include "hash-mix.h"

enum {
	BUCKETS = 1024,
	WORDS = GRAPH_LOCKS / 64,
	PAGES = 4096, /* a power of two */
	PAGE_BYTES = 4096,
	LOCK_ALIGNMENT = 4
};

struct lock {
	const void *identity; /* its own address: it has ended */
	uint32_t next;        /* in its bucket: number + 1 */
	uint32_t knot;        /* 0: it is on no cycle */
};

static struct {
	uint32_t lock_count, knots;
	_Atomic uint32_t era;
	_Atomic bool pages[PAGES]; /* by hash: is a lock in it? */
	uint32_t buckets[BUCKETS]; /* number + 1 */
	struct lock locks[GRAPH_LOCKS];
	uint64_t after[GRAPH_LOCKS][WORDS];  /* locks that were wanted with this one */
	uint64_t before[GRAPH_LOCKS][WORDS]; /* locks with which this one was wanted */
} graph;

static void begin_era(void)
{
	store_relaxed(&graph.era, load_relaxed(&graph.era) + 1);
}

uint32_t lock_graph_era(void)
{
	return load_relaxed(&graph.era);
}

static _Atomic bool *page_of(uintptr_t address)
{
	return &graph.pages[hash_mix(0, address / PAGE_BYTES) % PAGES];
}

static uint32_t *bucket_of(const void *identity)
{
	return &graph.buckets[hash_mix(0, (uintptr_t)identity) % BUCKETS];
}

uint32_t lock_graph_find(const void *identity)
{
	for (uint32_t i = *bucket_of(identity); i != 0; i = graph.locks[i - 1].next)
		if (graph.locks[i - 1].identity == identity)
			return i - 1;
	return GRAPH_LOCKS;
}

uint32_t lock_graph_add(const void *identity)
{
	uint32_t *bucket = bucket_of(identity), number = lock_graph_find(identity);

	if (number != GRAPH_LOCKS || graph.lock_count == GRAPH_LOCKS)
		return number;
	number = graph.lock_count++;
	graph.locks[number] = (struct lock){identity, *bucket, 0};
	*bucket = number + 1;
	for (uint32_t i = 0; i < WORDS; i++)
		graph.after[number][i] = graph.before[number][i] = 0;
	store_relaxed(page_of((uintptr_t)identity), true);
	return number;
}

static void end_lock(uint32_t number)
{
	graph.locks[number].identity = &graph.locks[number];
	begin_era();
}

void lock_graph_forget(const void *identity)
{
	const uint32_t number = lock_graph_find(identity);

	if (number != GRAPH_LOCKS)
		end_lock(number);
}

bool lock_graph_may_have(uintptr_t begin, uintptr_t end)
{
	bool may = end - begin >= (uintptr_t)PAGES * PAGE_BYTES;

	for (uintptr_t at = begin & ~(uintptr_t)(PAGE_BYTES - 1); at < end && !may;
	     at += PAGE_BYTES)
		may = load_relaxed(page_of(at));
	return may;
}

void lock_graph_forget_range(uintptr_t begin, uintptr_t end)
{
	if ((end - begin) / LOCK_ALIGNMENT < graph.lock_count) {
		for (uintptr_t at = begin; at < end; at += LOCK_ALIGNMENT)
			lock_graph_forget((const void *)at); // NOLINT(performance-no-int-to-ptr)
		return;
	}
	for (uint32_t i = 0; i < graph.lock_count; i++)
		if ((uintptr_t)graph.locks[i].identity - begin < end - begin)
			end_lock(i);
}

void lock_graph_clear(void)
{
	for (uint32_t i = 0; i < PAGES; i++)
		store_relaxed(&graph.pages[i], false);
	for (uint32_t i = 0; i < BUCKETS; i++)
		graph.buckets[i] = 0;
	graph.lock_count = 0;
	begin_era();
}

static bool has_bit(const uint64_t *words, uint32_t number)
{
	return (words[number / 64] >> number % 64 & 1) != 0;
}

static void set_bit(uint64_t *words, uint32_t number)
{
	words[number / 64] |= UINT64_C(1) << number % 64;
}

/* Sets the bits of all locks to which ways lead from this one, by the matrix; its own, too. */
static void reach(uint64_t (*matrix)[WORDS], uint32_t from, uint64_t reached[static WORDS])
{
	uint64_t waiting[WORDS] = {0}; /* reached, and not followed yet */

	set_bit(waiting, from);
	for (uint32_t i = 0; i < WORDS;) {
		if (waiting[i] == 0) {
			i++;
			continue;
		}
		const uint32_t number = i * 64 + (uint32_t)__builtin_ctzll(waiting[i]);
		waiting[i] &= waiting[i] - 1;
		set_bit(reached, number);
		for (uint32_t j = 0; j < WORDS; j++) {
			waiting[j] |= matrix[number][j] & ~reached[j];
			i = j < i && waiting[j] != 0 ? j : i;
		}
	}
}

/* The pair is new. Locks on a cycle with it get a knot of their own, others keep theirs. */
static void find_cycle(uint32_t held, uint32_t wanted)
{
	uint64_t after[WORDS] = {0}, before[WORDS] = {0};

	reach(graph.after, wanted, after);
	if (!has_bit(after, held))
		return;
	reach(graph.before, held, before);
	graph.knots++;
	for (uint32_t i = 0; i < graph.lock_count; i++)
		if (has_bit(after, i) && has_bit(before, i))
			graph.locks[i].knot = graph.knots;
	begin_era();
}

bool lock_graph_add_pair(uint32_t held, uint32_t wanted)
{
	const struct lock *one = &graph.locks[held], *other = &graph.locks[wanted];

	if (!has_bit(graph.after[held], wanted)) {
		set_bit(graph.after[held], wanted);
		set_bit(graph.before[wanted], held);
		if (one->knot == 0 || one->knot != other->knot)
			find_cycle(held, wanted);
	}
	return one->knot != 0 && one->knot == other->knot;
}
