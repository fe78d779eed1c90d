/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The orders in which locks are taken: an edge leads from a lock that a strand holds to one that it
 * wants. A cycle of edges can close, which is a deadlock, if all of these hold for each two of
 * them:
 *
 *   - they belong to different strands, which different threads have executed;
 *   - neither comes before the other by their clocks. These have all that OpenMP and threads
 *     prescribe (the begin and end of regions, barriers, waits for tasks, dependences, ordered,
 *     creation and join), and not what locks do. So the two actions were concurrent in this very
 *     run, and only chance decided that they did not meet;
 *   - their strands held no lock in common, which would keep one of them out: a gate.
 *
 * The argument is the one of Havelund's Goodlock (2000) with clocks in place of the order of
 * threads. It is about the run at hand: what a value that the program read made it do could be
 * different if the threads met. Atomic variables, condition variables and semaphores are no clock.
 *
 * For each edge only its last occurrence is kept by each strand: earlier ones of the strand come
 * before all that the last one comes before. An edge is compared when it occurs, with what others
 * have noted up to then. All tables are limited. If one is full, all edges are forgotten, so that
 * cycles with later ones are still found.
 *
 * A cycle is closed if each of its strands waits for what the next one holds. The argument: a
 * strand notes under the lock below what it wants, with what it holds, and clears that when it has
 * the lock, before it can give it back. If the calling strand holds what another one wants, that
 * one does not have it and waits, and so what it holds does not change; likewise whoever wants one
 * of those locks, from strand to strand. If the calling strand wants one of them, nothing can go
 * on.
 *
 * One lock protects everything here. While it is held nothing else is called: the call stack and
 * the log are taken care of before and after.
 */
#include "lock-cycles.h"

#include "call-stack.h"

#include <stddef.h>

enum {
	LOCKS = 1024,
	EDGES = 2048,
	BUCKETS = 1024,
	SITES = 1024, /* a power of two */
	REPORTED = 64,
	MOST_STEPS = 1024, /* of one search */
	PAGES = 4096,
	PAGE_BYTES = 4096,
	LOCK_ALIGNMENT = 4
};

/* Two places in the code: where a lock was taken, and where another one is wanted. */
struct site {
	uint64_t key; /* hash of both; 0: free */
	uintptr_t held_at[HELD_FRAMES], wanted_at[CYCLE_FRAMES];
};

struct lock {
	const void *identity;
	uint32_t next;  /* in its bucket: index + 1 */
	uint32_t edges; /* the first edge of a strand that held it: index + 1 */
	uint32_t seen;  /* the search that has been here last */
};

struct edge {
	uint32_t held, wanted; /* locks: index */
	const void *variable;  /* of the wanted lock */
	enum race_lock_kind kind;
	const struct site *site;
	uint32_t strand, thread, count;         /* count: the strand's own, see order-clocks.h */
	uint32_t holds, held_locks[HELD_LOCKS]; /* all locks that it held: index */
	uint32_t next_of_lock, next_in_bucket;  /* index + 1 */
	struct order_clock clock;
};

static struct {
	struct agent_lock lock;
	bool has_cycle; /* apart from strands, clocks and gates */
	uint32_t lock_count, edge_count, search;
	_Atomic bool pages[PAGES]; /* by hash: is a lock in it? Written under the lock */
	uint32_t lock_buckets[BUCKETS], edge_buckets[BUCKETS];
	struct lock locks[LOCKS];
	struct edge edges[EDGES];
	struct site sites[SITES];
	uint32_t reached[LOCKS]; /* by the search */
	uint64_t reported[REPORTED];
	uint32_t reported_count;
} all;

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 29;
}

static _Atomic bool *page_of(uintptr_t address)
{
	return &all.pages[mix(0, address / PAGE_BYTES) % PAGES];
}

static void forget_all(void)
{
	for (uint32_t i = 0; i < PAGES; i++)
		store_relaxed(&all.pages[i], false);
	for (uint32_t i = 0; i < BUCKETS; i++)
		all.lock_buckets[i] = all.edge_buckets[i] = 0;
	all.lock_count = all.edge_count = 0;
	all.has_cycle = false;
}

/* The lock's index; LOCKS: it is new, and there is no room. */
static uint32_t lock_of(const void *identity, bool is_added)
{
	uint32_t *bucket = &all.lock_buckets[mix(0, (uintptr_t)identity) % BUCKETS];

	for (uint32_t i = *bucket; i != 0; i = all.locks[i - 1].next)
		if (all.locks[i - 1].identity == identity)
			return i - 1;
	if (!is_added || all.lock_count == LOCKS)
		return LOCKS;
	struct lock *lock = &all.locks[all.lock_count];
	lock->identity = identity;
	lock->edges = lock->seen = 0;
	lock->next = *bucket;
	*bucket = all.lock_count + 1;
	store_relaxed(page_of((uintptr_t)identity), true);
	return all.lock_count++;
}

/* Returns the free or equal entry; NULL: all are in use. */
static struct site *find_site(uint64_t key)
{
	for (uint32_t i = 0; i < SITES; i++) {
		struct site *site = &all.sites[(key + i) % SITES];
		if (site->key == key || site->key == 0)
			return site;
	}
	return NULL;
}

static uint64_t key_of(
    const uintptr_t held_at[static HELD_FRAMES], const uintptr_t wanted_at[static HELD_FRAMES])
{
	uint64_t key = 1;

	for (unsigned i = 0; i < HELD_FRAMES && held_at[i] != 0; i++)
		key = mix(key, held_at[i]);
	key = mix(key, 0);
	for (unsigned i = 0; i < HELD_FRAMES && wanted_at[i] != 0; i++)
		key = mix(key, wanted_at[i]);
	return key | 1;
}

/* The site, whose call stack is looked at if it is new; NULL: there is no room. */
static const struct site *site_of(
    const struct held_lock *held, const struct race_lock *wanted, const uintptr_t *frames)
{
	const uint64_t key = key_of(held->frames, frames);
	uintptr_t stack[CYCLE_FRAMES];

	agent_lock_take(&all.lock);
	struct site *site = find_site(key);
	bool is_new = site != NULL && site->key == 0;
	agent_lock_give(&all.lock);
	if (!is_new)
		return site;
	call_stack_unwind(wanted->caller, stack, CYCLE_FRAMES);
	agent_lock_take(&all.lock);
	site = find_site(key);
	if (site != NULL && site->key == 0) {
		for (unsigned i = 0; i < HELD_FRAMES; i++)
			site->held_at[i] = held->frames[i];
		for (unsigned i = 0; i < CYCLE_FRAMES; i++)
			site->wanted_at[i] = stack[i];
		site->key = key;
	}
	agent_lock_give(&all.lock);
	return site;
}

/* Is there a way from one lock to another, whoever takes it? */
static bool leads_to(uint32_t from, uint32_t to)
{
	uint32_t count = 0;

	all.search++;
	all.locks[from].seen = all.search;
	all.reached[count++] = from;
	for (uint32_t done = 0; done < count && all.locks[to].seen != all.search; done++) {
		uint32_t i = all.locks[all.reached[done]].edges;
		for (; i != 0; i = all.edges[i - 1].next_of_lock) {
			const uint32_t wanted = all.edges[i - 1].wanted;
			if (all.locks[wanted].seen == all.search)
				continue;
			all.locks[wanted].seen = all.search;
			all.reached[count++] = wanted;
		}
	}
	return all.locks[to].seen == all.search;
}

static bool share_a_lock(const struct edge *left, const struct edge *right)
{
	for (uint32_t i = 0; i < left->holds; i++)
		for (uint32_t j = 0; j < right->holds; j++)
			if (left->held_locks[i] == right->held_locks[j])
				return true;
	return false;
}

static bool can_meet(const struct edge *left, const struct edge *right)
{
	return left->strand != right->strand && left->thread != right->thread &&
	       !order_is_before(left->strand, left->count, &right->clock) &&
	       !order_is_before(right->strand, right->count, &left->clock) &&
	       !share_a_lock(left, right);
}

/* A way from edge to edge, each of which can meet all others. */
struct way {
	uint32_t length, steps;
	const struct edge *edges[CYCLE_LOCKS];
};

static bool can_go_on(const struct way *way, const struct edge *edge)
{
	for (uint32_t i = 0; i < way->length; i++)
		if (!can_meet(way->edges[i], edge))
			return false;
	return true;
}

/* Completes the way to a cycle; false if there is none. */
static bool close_cycle(struct way *way)
{
	const struct lock *lock = &all.locks[way->edges[way->length - 1]->wanted];

	for (uint32_t i = lock->edges; i != 0; i = all.edges[i - 1].next_of_lock) {
		const struct edge *edge = &all.edges[i - 1];
		if (++way->steps > MOST_STEPS)
			return false;
		if (!can_go_on(way, edge))
			continue;
		way->edges[way->length++] = edge;
		if (edge->wanted == way->edges[0]->held ||
		    (way->length < CYCLE_LOCKS && close_cycle(way)))
			return true;
		way->length--;
	}
	return false;
}

/* Is the cycle, by its places in the code, a new one? */
static bool is_new(const struct way *way)
{
	uint64_t key = 0;

	for (uint32_t i = 0; i < way->length; i++) {
		bool again = false;
		for (uint32_t j = 0; j < i; j++)
			again |= way->edges[j]->site == way->edges[i]->site;
		if (!again)
			key += way->edges[i]->site->key;
	}
	for (uint32_t i = 0; i < all.reported_count; i++)
		if (all.reported[i] == key)
			return false;
	if (all.reported_count == REPORTED)
		return false;
	all.reported[all.reported_count++] = key;
	return true;
}

static void copy_frames(struct cycle_wait *wait, const struct site *site)
{
	for (unsigned i = 0; i < CYCLE_FRAMES; i++)
		wait->wanted_at[i] = site->wanted_at[i];
	for (unsigned i = 0; i < HELD_FRAMES; i++)
		wait->held_at[i] = site->held_at[i];
}

static void describe(const struct way *way, struct lock_cycle *cycle)
{
	cycle->count = way->length;
	cycle->is_closed = false;
	for (uint32_t i = 0; i < way->length; i++) {
		struct cycle_wait *wait = &cycle->waits[i];
		wait->variable = way->edges[i]->variable;
		wait->kind = way->edges[i]->kind;
		wait->thread = way->edges[i]->thread;
		copy_frames(wait, way->edges[i]->site);
	}
}

/* The strand's locks as indices; false: there is no room. */
static bool find_locks(const struct order_strand *strand, struct edge *edge)
{
	const uint32_t count = load_relaxed(&strand->held_count);

	edge->holds = 0;
	for (uint32_t i = 0; i < count; i++) {
		const void *identity = load_relaxed(&strand->held[i].identity);
		if (identity == NULL)
			continue;
		edge->held_locks[edge->holds] = lock_of(identity, true);
		if (edge->held_locks[edge->holds++] == LOCKS)
			return false;
	}
	return true;
}

static bool are_equal(const struct edge *left, const struct edge *right)
{
	bool equal = left->held == right->held && left->wanted == right->wanted &&
		     left->strand == right->strand && left->thread == right->thread &&
		     left->site == right->site && left->holds == right->holds;

	for (uint32_t i = 0; equal && i < left->holds; i++)
		equal = left->held_locks[i] == right->held_locks[i];
	return equal;
}

/* What identifies an edge; the rest follows when it occurs. */
static struct edge *add_edge(const struct edge *like, uint32_t *bucket)
{
	struct edge *edge = &all.edges[all.edge_count];
	struct lock *held = &all.locks[like->held];

	edge->held = like->held;
	edge->wanted = like->wanted;
	edge->strand = like->strand;
	edge->thread = like->thread;
	edge->site = like->site;
	edge->holds = like->holds;
	for (uint32_t i = 0; i < like->holds; i++)
		edge->held_locks[i] = like->held_locks[i];
	edge->next_in_bucket = *bucket;
	edge->next_of_lock = held->edges;
	*bucket = held->edges = ++all.edge_count;
	for (uint32_t i = 0; i < CLOCK_STRANDS; i++)
		edge->clock.at[i] = 0;
	all.has_cycle = all.has_cycle || leads_to(edge->wanted, edge->held);
	return edge;
}

/* Notes an occurrence of the edge; NULL: there is no room. */
static const struct edge *note_edge(const struct order_strand *strand, const struct edge *like)
{
	uint64_t hash =
	    mix(mix(mix(like->held, like->wanted), like->strand), (uintptr_t)like->site);
	uint32_t *bucket = &all.edge_buckets[hash % BUCKETS], i = *bucket;
	const uint32_t strands = order_strand_count();

	while (i != 0 && !are_equal(&all.edges[i - 1], like))
		i = all.edges[i - 1].next_in_bucket;
	if (i == 0 && all.edge_count == EDGES)
		return NULL;
	struct edge *edge = i != 0 ? &all.edges[i - 1] : add_edge(like, bucket);
	edge->variable = like->variable;
	edge->kind = like->kind;
	edge->count = strand->clock.at[strand->index];
	for (uint32_t j = 0; j < strands; j++)
		edge->clock.at[j] = strand->clock.at[j];
	return edge;
}

/* Under the lock. Returns true if there is a new cycle, which is described. */
static bool note(const struct order_strand *strand, const struct held_lock *held,
    const struct race_lock *wanted, const struct site *site, struct lock_cycle *cycle)
{
	struct edge like;
	const struct edge *edge = NULL;

	like.variable = wanted->variable;
	like.kind = wanted->kind;
	like.site = site;
	like.strand = strand->index;
	like.thread = order_strand_thread(strand);
	if (find_locks(strand, &like)) {
		like.held = lock_of(load_relaxed(&held->identity), false);
		like.wanted = lock_of(wanted->identity, true);
		if (like.held != LOCKS && like.wanted != LOCKS)
			edge = note_edge(strand, &like);
	}
	if (edge == NULL) {
		forget_all();
		return false;
	}
	struct way way = {.length = 1, .edges = {edge}};
	if (!all.has_cycle || !close_cycle(&way) || !is_new(&way))
		return false;
	describe(&way, cycle);
	return true;
}

/* The strand that holds the lock, or NULL. */
static const struct order_strand *holder_of(const void *identity)
{
	const uint32_t strands = order_strand_count();

	for (uint32_t i = 0; i < strands; i++) {
		const struct order_strand *strand = order_strand_at(i);
		uint32_t count = load_relaxed(&strand->held_count);
		for (uint32_t j = 0; j < count; j++)
			if (load_relaxed(&strand->held[j].identity) == identity)
				return strand;
	}
	return NULL;
}

/* The edge of the strand from lock to lock, or NULL. */
static const struct edge *edge_between(
    const struct order_strand *strand, const void *held, const void *wanted)
{
	const uint32_t from = lock_of(held, false), to = lock_of(wanted, false);
	uint32_t i = from != LOCKS ? all.locks[from].edges : 0;

	while (
	    i != 0 && (all.edges[i - 1].wanted != to || all.edges[i - 1].strand != strand->index))
		i = all.edges[i - 1].next_of_lock;
	return i != 0 ? &all.edges[i - 1] : NULL;
}

/* Under the lock: does the strand wait for itself, by way of others? The cycle is described. */
static bool is_closed_by(const struct order_strand *strand, struct lock_cycle *cycle)
{
	const struct order_strand *waits = strand, *holder;
	const void *wanted = load_relaxed(&strand->wanted);
	const void *first = wanted;
	struct way way = {.length = 1}; /* the strand's own edge is known last */

	for (; way.length <= CYCLE_LOCKS; way.length++) {
		holder = holder_of(wanted);
		if (holder == NULL)
			return false;
		if (holder == strand)
			break;
		const void *held = wanted;
		waits = holder;
		wanted = load_relaxed(&waits->wanted);
		if (wanted == NULL || way.length == CYCLE_LOCKS)
			return false;
		way.edges[way.length] = edge_between(waits, held, wanted);
		if (way.edges[way.length] == NULL)
			return false;
	}
	way.edges[0] = edge_between(strand, wanted, first);
	if (way.edges[0] == NULL)
		return false;
	describe(&way, cycle);
	cycle->is_closed = true;
	return true;
}

void lock_cycles_note(struct order_strand *strand, const struct race_lock *wanted,
    const uintptr_t frames[static HELD_FRAMES])
{
	const uint32_t count = load_relaxed(&strand->held_count);
	struct lock_cycle cycle;

	order_clocks_count();
	for (uint32_t i = 0; i < count; i++) {
		struct held_lock *held = &strand->held[i];
		if (load_relaxed(&held->identity) == NULL)
			continue;
		const struct site *site = site_of(held, wanted, frames);
		if (site == NULL)
			continue;
		agent_lock_take(&all.lock);
		bool found = note(strand, held, wanted, site, &cycle);
		agent_lock_give(&all.lock);
		if (found)
			lock_cycle_write(&cycle);
	}
	/* Two locks of teams may share an identity by chance. */
	if (wanted->identity != wanted->variable)
		return;
	agent_lock_take(&all.lock);
	store_relaxed(&strand->wanted, wanted->identity);
	bool is_closed = all.has_cycle && is_closed_by(strand, &cycle);
	agent_lock_give(&all.lock);
	if (is_closed)
		lock_cycle_write(&cycle);
}

void lock_cycles_note_own(const struct order_strand *strand, const struct held_lock *held,
    const struct race_lock *wanted, const uintptr_t frames[static HELD_FRAMES])
{
	const struct site *site = site_of(held, wanted, frames);
	struct lock_cycle cycle;

	if (site == NULL)
		return;
	cycle.count = 1;
	cycle.is_closed = true;
	cycle.waits[0].variable = wanted->variable;
	cycle.waits[0].kind = wanted->kind;
	cycle.waits[0].thread = order_strand_thread(strand);
	copy_frames(&cycle.waits[0], site);
	lock_cycle_write(&cycle);
}

/* A later lock at the address gets another index: nothing finds an entry that is its own name. */
static void forget(const void *identity)
{
	uint32_t lock = lock_of(identity, false);

	if (lock != LOCKS)
		all.locks[lock].identity = &all.locks[lock];
}

void lock_cycles_forget(const void *identity)
{
	agent_lock_take(&all.lock);
	forget(identity);
	agent_lock_give(&all.lock);
}

/* May there be a lock in the memory? */
static bool has_lock_in(uintptr_t from, uintptr_t to)
{
	bool has = to - from >= PAGES * PAGE_BYTES;

	for (uintptr_t at = from & ~(uintptr_t)(PAGE_BYTES - 1); at < to && !has; at += PAGE_BYTES)
		has = load_relaxed(page_of(at));
	return has;
}

/*
 * Most memory that a program frees has no lock. That is seen without the lock here: one that
 * another thread notes meanwhile is not in memory that this thread frees.
 */
void lock_cycles_forget_range(const void *begin, size_t size)
{
	const uintptr_t from = (uintptr_t)begin, to = from + size;

	if (!has_lock_in(from, to))
		return;
	agent_lock_take(&all.lock);
	if (size / LOCK_ALIGNMENT < all.lock_count) {
		for (uintptr_t at = from; at < to; at += LOCK_ALIGNMENT)
			forget((const void *)at); // NOLINT(performance-no-int-to-ptr)
	} else {
		for (uint32_t i = 0; i < all.lock_count; i++)
			if ((uintptr_t)all.locks[i].identity - from < size)
				all.locks[i].identity = &all.locks[i];
	}
	agent_lock_give(&all.lock);
}
