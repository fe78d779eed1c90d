/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The orders in which locks are taken: an edge leads from a lock that a strand holds to one that it
 * wants. A cycle of edges can close, which is a deadlock, if all of these hold for each two of
 * them:
 *
 *   - they belong to different strands, which different threads have executed;
 *   - neither comes before the other by their clocks. These have all that OpenMP and threads
 *     prescribe (the begin and end of regions, barriers, waits for tasks, dependences, ordered,
 *     creation and join, conditions, barriers and semaphores of POSIX), and not what locks do. So
 * the two actions were concurrent in this very run, and only chance decided that they did not meet;
 *   - their strands held no lock in common, which would keep one of them out: a gate.
 *
 * The argument is the one of Havelund's Goodlock (2000) with clocks in place of the order of
 * threads. It is about the run at hand: what a value that the program read made it do could be
 * different if the threads met. Atomic variables are no clock.
 *
 * For each edge only its last occurrence is kept by each strand: earlier ones of the strand come
 * before all that the last one comes before. An edge is compared when it occurs, with what others
 * have noted up to then. All tables are limited. If one is full, all edges are forgotten, so that
 * cycles with later ones are still found.
 *
 * An edge that is on no cycle of lock-graph.h, whoever took the locks, is noted once in each epoch
 * of its strand: until the clock changes, nothing new can be found by it, as whatever it could meet
 * is compared with it when that is noted.
 *
 * A cycle is closed if each of its strands waits for what the next one holds. The argument: a
 * strand stores what it wants when its list has what it holds (release, pairs with is_closed_by()),
 * and clears that when it has the lock, before it can give it back. Then it notes its edges under
 * the lock below, and looks for a closed cycle if one of them is on a cycle. If the calling strand
 * holds what another one wants, that one does not have it and waits, and so what it holds does not
 * change; likewise whoever wants one of those locks, from strand to strand. If the calling strand
 * wants one of them, nothing can go on.
 *
 * One lock protects everything here and in lock-graph.c. While it is held nothing else is called:
 * the call stack and the log are taken care of before and after.
 */
#include "lock-cycles.h"

#include "call-stack.h"
#include "hash-mix.h"
#include "lock-graph.h"
#include "order-log.h"

#include <stddef.h>

enum {
	EDGES = 2048,
	BUCKETS = 1024,
	SITES = 1024, /* a power of two */
	REPORTED = 64,
	MOST_STEPS = 1024, /* of one search */
	NOTED = 4096,      /* of each thread; a power of two */
	NOTED_THREADS = 64
};

/* Two places in the code: where a lock was taken, and where another one is wanted. */
struct site {
	uint64_t key; /* hash of both; 0: free */
	uintptr_t held_at[HELD_FRAMES], wanted_at[CYCLE_FRAMES];
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
	_Atomic bool is_full; /* more edges have been seen than there is room for */
	uint32_t edge_count;
	uint32_t edge_buckets[BUCKETS];   /* index + 1 */
	uint32_t lock_edges[GRAPH_LOCKS]; /* first edge of a strand that held it: index + 1 */
	struct edge edges[EDGES];
	struct site sites[SITES];
	uint64_t reported[REPORTED];
	uint32_t reported_count;
} all;

/* What a thread noted last. Only this thread uses it. */
static struct noted {
	uint64_t key;
	uint32_t epoch, era;
} noted[NOTED_THREADS][NOTED];

static void forget_edges(void)
{
	for (uint32_t i = 0; i < BUCKETS; i++)
		all.edge_buckets[i] = 0;
	for (uint32_t i = 0; i < GRAPH_LOCKS; i++)
		all.lock_edges[i] = 0;
	all.edge_count = 0;
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

static uint64_t key_of_site(
    const uintptr_t held_at[static HELD_FRAMES], const uintptr_t wanted_at[static HELD_FRAMES])
{
	uint64_t key = 1;

	for (unsigned i = 0; i < HELD_FRAMES && held_at[i] != 0; i++)
		key = hash_mix(key, held_at[i]);
	key = hash_mix(key, 0);
	for (unsigned i = 0; i < HELD_FRAMES && wanted_at[i] != 0; i++)
		key = hash_mix(key, wanted_at[i]);
	return key | 1;
}

/* The site, whose call stack is looked at if it is new; NULL: there is no room. */
static const struct site *site_of(
    const struct held_lock *held, const struct race_lock *wanted, const uintptr_t *frames)
{
	const uint64_t key = key_of_site(held->frames, frames);
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

/* Completes the way to a new cycle; false if there is none. */
static bool close_cycle(struct way *way)
{
	uint32_t i = all.lock_edges[way->edges[way->length - 1]->wanted];

	for (; i != 0; i = all.edges[i - 1].next_of_lock) {
		const struct edge *edge = &all.edges[i - 1];
		if (++way->steps > MOST_STEPS)
			return false;
		if (!can_go_on(way, edge))
			continue;
		way->edges[way->length++] = edge;
		if (edge->wanted == way->edges[0]->held
			? is_new(way)
			: way->length < CYCLE_LOCKS && close_cycle(way))
			return true;
		way->length--;
	}
	return false;
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
		edge->held_locks[edge->holds] = lock_graph_add(identity);
		if (edge->held_locks[edge->holds++] == GRAPH_LOCKS)
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
	uint32_t *of_lock = &all.lock_edges[like->held];

	edge->held = like->held;
	edge->wanted = like->wanted;
	edge->strand = like->strand;
	edge->thread = like->thread;
	edge->site = like->site;
	edge->holds = like->holds;
	for (uint32_t i = 0; i < like->holds; i++)
		edge->held_locks[i] = like->held_locks[i];
	edge->next_in_bucket = *bucket;
	edge->next_of_lock = *of_lock;
	*bucket = *of_lock = ++all.edge_count;
	for (uint32_t i = 0; i < CLOCK_STRANDS; i++)
		edge->clock.at[i] = 0;
	return edge;
}

/* Notes an occurrence of the edge; NULL: there is no room. */
static const struct edge *note_edge(const struct order_strand *strand, const struct edge *like)
{
	uint64_t hash = hash_mix(
	    hash_mix(hash_mix(like->held, like->wanted), like->strand), (uintptr_t)like->site);
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

/* Notes the edge, for which older ones are forgotten if there is no room. */
static const struct edge *make_edge(const struct order_strand *strand, const struct edge *like)
{
	const struct edge *edge = note_edge(strand, like);

	if (edge != NULL)
		return edge;
	store_relaxed(&all.is_full, true);
	forget_edges();
	return note_edge(strand, like);
}

/*
 * Under the lock. Returns true if there is a new cycle, which is described. *is_plain is left true
 * if the pair is on no cycle, whoever had the locks.
 */
static bool note(const struct order_strand *strand, const struct held_lock *held,
    const struct race_lock *wanted, const struct site *site, bool *is_plain,
    struct lock_cycle *cycle)
{
	struct edge like;

	like.variable = wanted->variable;
	like.kind = wanted->kind;
	like.site = site;
	like.strand = strand->index;
	like.thread = order_strand_thread(strand);
	like.wanted = lock_graph_add(wanted->identity);
	if (!find_locks(strand, &like) || like.wanted == GRAPH_LOCKS) {
		lock_graph_clear();
		forget_edges();
		return false;
	}
	like.held = lock_graph_find(load_relaxed(&held->identity));
	if (like.held == GRAPH_LOCKS)
		return false;
	const bool is_cyclic = lock_graph_add_pair(like.held, like.wanted);
	const struct edge *edge = make_edge(strand, &like);
	struct way way = {.length = 1, .edges = {edge}};
	*is_plain &= !is_cyclic;
	if (!is_cyclic || edge == NULL || !close_cycle(&way))
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
	const uint32_t from = lock_graph_find(held), to = lock_graph_find(wanted);
	uint32_t i = from != GRAPH_LOCKS ? all.lock_edges[from] : 0;

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
		wanted = load_acquire(&waits->wanted);
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

/* What is noted: the locks, and with `frames` also by whom and where. */
static uint64_t key_of_order(
    const struct order_strand *strand, const struct race_lock *wanted, const uintptr_t *frames)
{
	const uint32_t count = load_relaxed(&strand->held_count);
	uint64_t key =
	    hash_mix(frames != NULL ? strand->index + 1 : 0, (uintptr_t)wanted->identity);

	for (uint32_t i = 0; i < count; i++) {
		const struct held_lock *held = &strand->held[i];
		key = hash_mix(key, (uintptr_t)load_relaxed(&held->identity));
		for (uint32_t j = 0; frames != NULL && j < HELD_FRAMES && held->frames[j] != 0; j++)
			key = hash_mix(key, held->frames[j]);
	}
	for (uint32_t i = 0; frames != NULL && i < HELD_FRAMES && frames[i] != 0; i++)
		key = hash_mix(key, frames[i]);
	return key;
}

/* The two places for the key; NULL: the thread has none. */
static struct noted *noted_of(const struct order_strand *strand, uint64_t key)
{
	const uint32_t thread = order_strand_thread(strand);

	return thread < NOTED_THREADS ? &noted[thread][2 * (key % (NOTED / 2))] : NULL;
}

/* Has the thread noted this, in this epoch, and has nothing changed since? */
static bool is_noted(const struct noted *last, uint64_t key, uint32_t epoch)
{
	const uint32_t era = lock_graph_era();

	for (uint32_t i = 0; last != NULL && i < 2; i++)
		if (last[i].key == key && last[i].epoch == epoch && last[i].era == era)
			return true;
	return false;
}

/* For the comparison with other runs. */
static void log_order(const struct order_strand *strand, const struct held_lock *held,
    const struct race_lock *wanted, const struct site *site)
{
	struct cycle_wait wait = {.variable = wanted->variable,
	    .kind = wanted->kind,
	    .thread = order_strand_thread(strand)};

	copy_frames(&wait, site);
	order_log_note(strand, held, wanted, site->key, &wait);
}

/* The strand's wish is known to others, and orders with each of the locks that it holds. */
static bool note_all(struct order_strand *strand, const struct race_lock *wanted,
    const uintptr_t frames[static HELD_FRAMES])
{
	const uint32_t count = load_relaxed(&strand->held_count);
	const bool is_logged = order_log_has(strand, key_of_order(strand, wanted, frames));
	struct lock_cycle cycle;
	bool is_plain = true;

	for (uint32_t i = 0; i < count; i++) {
		struct held_lock *held = &strand->held[i];
		if (load_relaxed(&held->identity) == NULL)
			continue;
		const struct site *site = site_of(held, wanted, frames);
		if (site == NULL)
			continue;
		if (!is_logged)
			log_order(strand, held, wanted, site);
		bool found;
		do {
			agent_lock_take(&all.lock);
			found = note(strand, held, wanted, site, &is_plain, &cycle);
			agent_lock_give(&all.lock);
			if (found)
				lock_cycle_write(&cycle);
		} while (found);
	}
	if (is_plain)
		return true;
	agent_lock_take(&all.lock);
	bool is_closed = load_relaxed(&strand->wanted) != NULL && is_closed_by(strand, &cycle);
	agent_lock_give(&all.lock);
	if (is_closed)
		lock_cycle_write(&cycle);
	return false;
}

/*
 * What is on no cycle is noted once in each epoch of the strand: what it would be compared with is
 * compared with it when that is noted. If there is no room for edges, even once in each era.
 */
void lock_cycles_note(struct order_strand *strand, const struct race_lock *wanted,
    const uintptr_t frames[static HELD_FRAMES])
{
	const uint32_t era = lock_graph_era();
	const bool is_full = load_relaxed(&all.is_full);
	const uint64_t key = key_of_order(strand, wanted, is_full ? NULL : frames);
	const uint32_t epoch = is_full ? 0 : strand->epoch;
	struct noted *last = noted_of(strand, key);

	order_clocks_count();
	/* Two locks of teams may share an identity by chance. */
	if (wanted->identity == wanted->variable)
		store_release(&strand->wanted, wanted->identity);
	if (is_noted(last, key, epoch) || !note_all(strand, wanted, frames) || last == NULL)
		return;
	last[1] = last[0];
	last[0] = (struct noted){key, epoch, era};
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

void lock_cycles_forget(const void *identity)
{
	agent_lock_take(&all.lock);
	lock_graph_forget(identity);
	agent_lock_give(&all.lock);
	order_log_forget(identity);
}

/*
 * Most memory that a program frees has no lock. That is seen without the lock here: one that
 * another thread notes meanwhile is not in memory that this thread frees.
 */
void lock_cycles_forget_range(const void *begin, size_t size)
{
	const uintptr_t from = (uintptr_t)begin;

	if (!lock_graph_may_have(from, from + size))
		return;
	agent_lock_take(&all.lock);
	lock_graph_forget_range(from, from + size);
	agent_lock_give(&all.lock);
	order_log_forget_range(from, from + size);
}
