/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All tables are limited. If there are more orders than ORDERS, the log says that it has not all of
 * them, and then the run is not compared with others: of two orders that one thread takes one after
 * the other, one might be missing. Further positions than POSITIONS are left out, which hides
 * cycles and invents none.
 */
#include "order-log.h"

#include "hash-mix.h"
#include "lock-graph.h"
#include "stable-names.h"

#include <stddef.h>

enum {
	ORDERS = 512,
	SLOTS = 1024,     /* for orders; a power of two */
	POSITIONS = 4096, /* a power of two */
	MOST_POSITIONS = POSITIONS * 3 / 4,
	OF_ORDER = 24, /* positions */
	NAMES = 1024,  /* a power of two */
	WRITTEN = 1024,
	WRITTEN_THREADS = 64
};

static struct {
	struct agent_lock lock;
	_Atomic bool is_full; /* relaxed: a thread that misses it writes what is not needed */
	uint32_t order_count, position_count;
	struct order {
		uint64_t key; /* 0: free */
		uint32_t number, positions;
	} orders[SLOTS];               /* by hash */
	uint64_t positions[POSITIONS]; /* hashes of an order and a position; 0: free */
	struct {
		const void *identity;
		uint64_t name;
	} names[NAMES]; /* by hash: the last lock asked for */
} all;

/* What a thread wrote last. Only this thread uses it. */
static uint64_t written[WRITTEN_THREADS][WRITTEN];

static uint64_t key_of_position(const struct team_position *position)
{
	uint64_t key = hash_mix(position->region, position->phase);

	key = hash_mix(key, (uint64_t)position->thread << 32 | position->size);
	key = hash_mix(key, (uint64_t)position->single << 32 | position->clean);
	for (uint32_t i = 0; i < position->depth; i++)
		key = hash_mix(
		    key, (uint64_t)position->tasks[i].waits << 32 | position->tasks[i].number);
	return key | 1;
}

bool order_log_has(const struct order_strand *strand, uint64_t key)
{
	const struct team_position *position = position_self();
	const uint32_t thread = order_strand_thread(strand);

	if (position->region == 0 || load_relaxed(&all.is_full))
		return true;
	if (thread >= WRITTEN_THREADS)
		return false;
	key = hash_mix(hash_mix(key, key_of_position(position)), lock_graph_era());
	uint64_t *last = &written[thread][key % WRITTEN];
	const bool is_written = *last == key;
	*last = key;
	return is_written;
}

/* Under the lock. */
static uint64_t *name_place(const void *identity)
{
	const uint64_t at = hash_mix(0, (uintptr_t)identity) % NAMES;

	if (all.names[at].identity != identity) {
		all.names[at].identity = identity;
		all.names[at].name = 0;
	}
	return &all.names[at].name;
}

/* identity: differs from the variable if several locks have it. */
static uint64_t name_of(const void *identity, const void *variable)
{
	uint64_t name;

	if (identity != variable)
		return STABLE_UNKNOWN;
	agent_lock_take(&all.lock);
	name = *name_place(identity);
	agent_lock_give(&all.lock);
	if (name != 0)
		return name;
	name = stable_name_of_lock(variable);
	agent_lock_take(&all.lock);
	*name_place(identity) = name;
	agent_lock_give(&all.lock);
	return name;
}

void order_log_forget(const void *identity)
{
	const uint64_t at = hash_mix(0, (uintptr_t)identity) % NAMES;

	agent_lock_take(&all.lock);
	if (all.names[at].identity == identity)
		all.names[at].name = STABLE_UNKNOWN;
	agent_lock_give(&all.lock);
}

void order_log_forget_range(uintptr_t begin, uintptr_t end)
{
	agent_lock_take(&all.lock);
	for (uint32_t i = 0; i < NAMES; i++)
		if ((uintptr_t)all.names[i].identity - begin < end - begin)
			all.names[i].name = STABLE_UNKNOWN;
	agent_lock_give(&all.lock);
}

/* Under the lock: the order, or a free place for it. */
static struct order *find_order(uint64_t key)
{
	uint64_t at = key % SLOTS;

	while (all.orders[at].key != 0 && all.orders[at].key != key)
		at = (at + 1) % SLOTS;
	return &all.orders[at];
}

/* Under the lock: is the position a new one for the order, and is there room for it? */
static bool add_position(struct order *order, uint64_t key)
{
	uint64_t name = hash_mix(key, order->number) | 1, at = name % POSITIONS;

	if (order->positions == OF_ORDER || all.position_count == MOST_POSITIONS)
		return false;
	while (all.positions[at] != 0 && all.positions[at] != name)
		at = (at + 1) % POSITIONS;
	if (all.positions[at] == name)
		return false;
	all.positions[at] = name;
	all.position_count++;
	order->positions++;
	return true;
}

/* Under the lock, so that an order is in the log before its positions. */
static void write(const struct order_names *names, uint64_t key, const struct cycle_wait *wait)
{
	const struct team_position *position = position_self();
	struct order *order = find_order(key);
	struct order_lines lines = {.names = names};

	if (order->key == 0 && all.order_count == ORDERS) {
		lines.is_full = !load_relaxed(&all.is_full);
		store_relaxed(&all.is_full, true);
	} else {
		if (order->key == 0) {
			*order = (struct order){.key = key, .number = all.order_count++};
			lines.wait = wait;
		}
		lines.number = order->number;
		if (add_position(order, key_of_position(position)))
			lines.position = position;
	}
	if (lines.is_full || lines.wait != NULL || lines.position != NULL)
		order_lines_write(&lines);
}

void order_log_note(const struct order_strand *strand, const struct held_lock *held,
    const struct race_lock *wanted, uint64_t site, const struct cycle_wait *wait)
{
	const uint32_t count = load_relaxed(&strand->held_count);
	struct order_names names = {.wanted = name_of(wanted->identity, wanted->variable),
	    .held = name_of(load_relaxed(&held->identity), held->variable)};
	uint64_t key = hash_mix(hash_mix(site, names.wanted), names.held);

	if (names.wanted == STABLE_UNKNOWN || names.held == STABLE_UNKNOWN)
		return;
	for (uint32_t i = 0; i < count; i++) {
		const void *identity = load_relaxed(&strand->held[i].identity);
		if (identity == NULL)
			continue;
		names.gates[names.gate_count] = name_of(identity, strand->held[i].variable);
		key = hash_mix(key, names.gates[names.gate_count++]);
	}
	agent_lock_take(&all.lock);
	write(&names, key | 1, wait);
	agent_lock_give(&all.lock);
}
