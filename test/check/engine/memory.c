/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic objects according to C11. Each object keeps its stores in modification order, and a load
 * may return any store that the coherence rules (5.1.2.4, 18 to 21), happens-before and the order S
 * of sequential operations allow. In modification order, a store may come before stores that its
 * thread does not know; a read-modify-write comes directly after the store that it read. Nothing is
 * read before it is written (no load buffering; doc/memory-model.md).
 *
 * The bytes in memory are those of the newest store, for functions that are not instrumented.
 */
#include <stdlib.h>
#include <string.h>

#include "cells.h"

enum {
	LOCATIONS = 1 << 14,
	STORES = 1 << 18,
	LOCATION_EVENTS = 2048,
	NO_STORE = -1,
	LOOKS = 32,
	CANDIDATES = 64
};

struct store {
	uint64_t value;
	int32_t previous, next;       /* in modification order */
	uint32_t rank;                /* position in that order */
	uint32_t step;                /* of the run */
	int thread;                   /* -1: initial value */
	bool follows;                 /* by a read-modify-write that read the previous one */
	struct clock sync;            /* a thread that acquires it is ordered after this */
	struct clock order;           /* the steps on which its own step depends */
	uint32_t seen[CHECK_THREADS]; /* epoch of each thread's first read of it; 0: none */
};

/* A sequentially consistent operation at a location: a read of the store, or the store itself. */
struct location_event {
	int event;
	int32_t store;
	bool is_read;
};

struct location {
	uintptr_t address;
	uint32_t size;
	int32_t first, last;
	int32_t floor;  /* in the kernel, no thread reads an earlier store; NO_STORE: no limit */
	int32_t fenced; /* nor does a thread after a sequential fence */
	uint32_t event_count, event_capacity;
	struct location_event *events;
};

/* What a thread read at a place, to detect that it reads the same again and again. */
struct look {
	const void *place;
	int32_t store;
	uint32_t times;
};

static struct location locations[LOCATIONS];
static uint32_t location_count, store_count;
static struct store *stores;
static struct {
	uint32_t count;
	int events[LOCATION_EVENTS];
	uint32_t epochs[LOCATION_EVENTS];
} events_of[CHECK_THREADS];
static struct look looks[CHECK_THREADS][LOOKS];
static uint32_t look_count[CHECK_THREADS];

/* The result of weigh() for a sequential operation. */
static int before[LOCATION_EVENTS], after[LOCATION_EVENTS];
static size_t before_count, after_count;

void memory_reset(void)
{
	if (stores == NULL)
		stores = malloc(STORES * sizeof(*stores));
	if (stores == NULL)
		abort();
	location_count = 0;
	store_count = 0;
	for (int i = 0; i < CHECK_THREADS; i++) {
		events_of[i].count = 0;
		look_count[i] = 0;
	}
	sequential_reset();
}

static uint64_t read_bytes(uintptr_t address, uint32_t size)
{
	uint64_t value = 0;

	memcpy(&value, (const void *)address, size);
	return value;
}

static void write_bytes(const struct location *location)
{
	memcpy((void *)location->address, &stores[location->last].value, location->size);
}

static int32_t new_store(uint64_t value, int thread)
{
	struct store *store = &stores[store_count];

	if (store_count == STORES)
		report_failure(NULL, "more than %d atomic stores in one run", STORES);
	memset(store, 0, sizeof(*store));
	store->value = value;
	store->thread = thread;
	store->previous = store->next = NO_STORE;
	return (int32_t)store_count++;
}

static struct location *location_at(uintptr_t address, uint32_t size, const void *place)
{
	struct cell *cell = cell_at(address);
	int32_t *index = &cell->location[address % CELL_BYTES];
	struct location *location;

	if (*index >= 0) {
		location = &locations[*index];
		if (location->size != size)
			report_failure(place, "atomic access of %u bytes to an object of %u", size,
			    location->size);
		return location;
	}
	if (location_count == LOCATIONS)
		report_failure(place, "more than %d atomic objects in one run", LOCATIONS);
	*index = (int32_t)location_count;
	location = &locations[location_count++];
	location->address = address;
	location->size = size;
	location->event_count = 0;
	location->floor = location->fenced = NO_STORE;
	location->first = location->last = new_store(read_bytes(address, size), -1);
	return location;
}

void memory_forget(uintptr_t address, size_t size)
{
	for (uintptr_t at = address & ~(uintptr_t)(CELL_BYTES - 1); at < address + size;
	     at += CELL_BYTES) {
		struct cell *cell = cell_find(at);

		for (uint32_t i = 0; cell != NULL && i < CELL_BYTES; i++)
			if (at + i >= address && at + i < address + size)
				cell->location[i] = -1;
	}
}

static bool is_known_at(const struct store *store, const struct clock *clock)
{
	for (int i = 0; i < CHECK_THREADS; i++)
		if (store->seen[i] != 0 && store->seen[i] <= clock->at[i])
			return true;
	return false;
}

/* Does the calling thread know, through happens-before, of the store or of a later read of it? */
static bool is_known(const struct store *store)
{
	return is_known_at(store, &check_self->clock);
}

static void see(struct store *store)
{
	uint32_t *seen = &store->seen[check_self->number];

	if (*seen == 0)
		*seen = check_self->clock.at[check_self->number];
}

/* How a sequential operation uses a store: it reads the store, follows it, or both. */
enum use { USE_LOAD, USE_STORE, USE_UPDATE };

/*
 * Adds each thread's newest sequential event that happens before the caller's operation, taking
 * into account what the operation itself acquires.
 */
static void add_happened_before(const struct clock *acquired)
{
	struct clock known = check_self->clock;

	if (acquired != NULL)
		clock_join(&known, acquired);
	for (int i = 0; i < CHECK_THREADS; i++)
		for (uint32_t j = events_of[i].count; j > 0; j--)
			if (events_of[i].epochs[j - 1] <= known.at[i]) {
				before[before_count++] = events_of[i].events[j - 1];
				break;
			}
}

/*
 * May a sequential operation use the store in this way? Leaves the events that must come before and
 * after it for sequential_add().
 */
static bool weigh(const struct location *location, int32_t index, enum use use)
{
	uint32_t rank = stores[index].rank;

	before_count = after_count = 0;
	add_happened_before(use != USE_STORE ? &stores[index].sync : NULL);
	for (uint32_t i = 0; i < location->event_count; i++) {
		const struct location_event *event = &location->events[i];
		uint32_t other = stores[event->store].rank;
		bool equal_is_before = !(event->is_read && use == USE_LOAD);

		if (other < rank || (other == rank && equal_is_before))
			before[before_count++] = event->event;
		else if (other > rank)
			after[after_count++] = event->event;
	}
	return sequential_allows(before, before_count, after, after_count);
}

/* Adds the event for which weigh() was called last. */
static void add_event(struct location *location, int32_t store, bool is_read)
{
	int event = sequential_add(before, before_count, after, after_count);
	int self = check_self->number;

	if (location->event_count == location->event_capacity) {
		location->event_capacity = location->event_capacity * 2 + 8;
		location->events =
		    realloc(location->events, location->event_capacity * sizeof(*location->events));
		if (location->events == NULL)
			abort();
	}
	location->events[location->event_count++] = (struct location_event){event, store, is_read};
	events_of[self].events[events_of[self].count] = event;
	events_of[self].epochs[events_of[self].count++] = check_self->clock.at[self];
}

static bool is_acquire(memory_order order)
{
	return order == memory_order_acquire || order == memory_order_acq_rel ||
	       order == memory_order_seq_cst || order == memory_order_consume;
}

static bool is_release(memory_order order)
{
	return order == memory_order_release || order == memory_order_acq_rel ||
	       order == memory_order_seq_cst;
}

/* Sets what other threads acquire from a store of the calling thread. */
static void publish(struct store *store, memory_order order)
{
	struct thread *self = check_self;

	clock_join(&store->sync, is_release(order) ? &self->clock : &self->released);
	store->order = self->order;
	store->step = search_step();
}

static void acquire(const struct store *store, memory_order order)
{
	clock_join(&check_self->acquired, &store->sync);
	if (is_acquire(order))
		clock_join(&check_self->clock, &store->sync);
	if (store->thread >= 0 && store->thread != check_self->number) {
		clock_join(&check_self->order, &store->order);
		search_order_after(store->thread, store->step);
	}
}

static void advance(void)
{
	check_self->clock.at[check_self->number]++;
}

/* Does no other read-modify-write directly follow the store, so that a new one may have read it? */
static bool has_room(const struct store *store)
{
	return store->next == NO_STORE || !stores[store->next].follows;
}

/* The operation for which candidates() searches. */
struct wanted {
	memory_order order;
	enum use use;
	bool is_kernel; /* and the kernel executes it */
	bool compares;  /* with this value it is replaced with `order`, else read with `failure` */
	uint64_t value;
	memory_order failure;
};

static bool is_candidate(const struct location *location, int32_t index, struct wanted wanted)
{
	enum use use = wanted.use;
	memory_order order = wanted.order;

	if (wanted.compares && stores[index].value != wanted.value) {
		use = USE_LOAD;
		order = wanted.failure;
	}
	if (use != USE_LOAD && !has_room(&stores[index]))
		return false;
	return order != memory_order_seq_cst || weigh(location, index, use);
}

/* Finds the stores that an operation may read or follow, newest first. */
static size_t candidates(const struct location *location, struct wanted wanted, int32_t *found)
{
	size_t count = 0;

	for (int32_t i = location->last; i != NO_STORE && count < CANDIDATES;
	     i = stores[i].previous) {
		bool known = is_known(&stores[i]);

		if (is_candidate(location, i, wanted))
			found[count++] = i;
		if (known || (wanted.is_kernel && i == location->floor) ||
		    check_current->is_sequential)
			break;
	}
	return count;
}

static struct look *look_at(const void *place, const struct location *location, int32_t store)
{
	int self = check_self->number;

	for (uint32_t i = 0; i < look_count[self]; i++)
		if (looks[self][i].place == place && store >= location->first &&
		    looks[self][i].store == store)
			return &looks[self][i];
	return NULL;
}

static void note_look(const void *place, const struct location *location, int32_t store)
{
	struct look *look = look_at(place, location, store);
	int self = check_self->number;

	if (look != NULL)
		look->times++;
	else
		looks[self][look_count[self]++ % LOOKS] = (struct look){place, store, 1};
	if (look_count[self] > LOOKS)
		look_count[self] = LOOKS;
}

static void note_write(void)
{
	look_count[check_self->number] = 0;
	thread_wrote();
}

/* Leaves the stores that have not been returned again and again at this place. */
static size_t leave_new(
    const struct location *location, const void *place, int32_t *found, size_t count)
{
	uint32_t most = check_current->looks != 0 ? check_current->looks : 2;
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		const struct look *look = look_at(place, location, found[i]);

		if (look == NULL || look->times < most)
			found[left++] = found[i];
	}
	return left;
}

/*
 * Waits for the thread's turn to read. If it could only read what it has already read at this place
 * again and again without writing anything, it must wait until another thread writes.
 */
static void turn(uint32_t kind, uintptr_t address, struct wanted wanted, const void *place)
{
	struct cell *cell = cell_find(address);
	int32_t index = cell != NULL ? cell->location[address % CELL_BYTES] : -1;
	int32_t found[CANDIDATES];
	size_t count;
	bool is_stalled = false;

	if (index >= 0 && look_count[check_self->number] > 0) {
		count = candidates(&locations[index], wanted, found);
		is_stalled = leave_new(&locations[index], place, found, count) == 0;
	}
	thread_turn(kind, address, is_stalled);
}

/*
 * Chooses the store that a load returns. If its thread has read the same store at this place again
 * and again without writing anything, it returns another one if possible: stores must become
 * visible eventually (C11, 7.17.3, 16).
 */
static int32_t choose(const struct location *location, struct wanted wanted, const void *place)
{
	int32_t found[CANDIDATES], newest;
	size_t count = candidates(location, wanted, found);

	if (count == 0)
		report_failure(place, "the checker finds no value for a load");
	newest = found[0];
	if (look_count[check_self->number] > 0)
		count = leave_new(location, place, found, count);
	return count == 0 ? newest : found[search_choose((uint32_t)count)];
}

/* The value that the thread read last, for an operation that is left out. */
static uint64_t value_known(const struct location *location)
{
	int32_t best = location->first;

	for (int32_t i = location->first; i != NO_STORE; i = stores[i].next)
		if (stores[i].seen[check_self->number] != 0)
			best = i;
	return stores[best].value;
}

/* The calling thread reads the value of the store and changes nothing. */
static uint64_t read_store(struct location *location, int32_t chosen, memory_order order)
{
	if (order == memory_order_seq_cst) {
		weigh(location, chosen, USE_LOAD);
		add_event(location, chosen, true);
	}
	see(&stores[chosen]);
	acquire(&stores[chosen], order);
	return stores[chosen].value;
}

/* An acquire load is itself ordered after what it acquires, so races are checked last. */
uint64_t memory_load(uintptr_t address, uint32_t size, memory_order order, const void *place)
{
	struct site_orders orders = site_orders(place, order, order);
	struct wanted wanted = {.order = orders.success, .use = USE_LOAD};
	struct location *location;
	uint64_t value;
	int32_t chosen;

	turn(OP_READS, address, wanted, place);
	location = location_at(address, size, place);
	if (orders.is_lost) {
		value = value_known(location);
		report_step("load left out", orders.success, address, value, place);
		thread_note(OP_READS, address);
		return value;
	}
	chosen = choose(location, wanted, place);
	note_look(place, location, chosen);
	value = read_store(location, chosen, orders.success);
	shadow_access(address, size, false, true, place);
	report_step("load", orders.success, address, value, place);
	thread_note(OP_READS, address);
	return value;
}

/* Inserts a new store after another one in modification order. */
static int32_t insert(struct location *location, int32_t previous, uint64_t value, bool follows)
{
	int32_t index = new_store(value, check_self->number);
	struct store *store = &stores[index];

	store->follows = follows;
	store->previous = previous;
	store->next = stores[previous].next;
	store->rank = stores[previous].rank + 1;
	stores[previous].next = index;
	if (store->next == NO_STORE) {
		location->last = index;
		write_bytes(location);
	} else {
		stores[store->next].previous = index;
		for (int32_t i = store->next; i != NO_STORE; i = stores[i].next)
			stores[i].rank++;
	}
	see(store);
	return index;
}

/* Adds a new store of the calling thread, after the store that an update reads. */
static void put(
    struct location *location, int32_t previous, uint64_t value, memory_order order, enum use use)
{
	struct clock sync = {{0}};
	int32_t index;

	if (order == memory_order_seq_cst)
		weigh(location, previous, use);
	if (use == USE_UPDATE) {
		sync = stores[previous].sync;
		see(&stores[previous]);
		acquire(&stores[previous], order);
	}
	if (location->size < sizeof(value))
		value &= ((uint64_t)1 << location->size * 8) - 1;
	index = insert(location, previous, value, use == USE_UPDATE);
	stores[index].sync = sync;
	if (order == memory_order_seq_cst)
		add_event(location, index, false);
	publish(&stores[index], order);
	note_write();
}

void memory_store(
    uintptr_t address, uint32_t size, uint64_t value, memory_order order, const void *place)
{
	struct site_orders orders = site_orders(place, order, order);
	struct location *location;
	int32_t found[CANDIDATES];
	size_t count;

	thread_turn(OP_WRITES, address, false);
	shadow_access(address, size, true, true, place);
	location = location_at(address, size, place);
	report_step(
	    orders.is_lost ? "store left out" : "store", orders.success, address, value, place);
	if (orders.is_lost) {
		thread_note(OP_WRITES, address);
		return;
	}
	count =
	    candidates(location, (struct wanted){.order = orders.success, .use = USE_STORE}, found);
	if (count == 0)
		report_failure(place, "the checker finds no place for a store");
	put(location, found[search_choose((uint32_t)count)], value, orders.success, USE_STORE);
	thread_note(OP_WRITES, address);
}

static uint64_t result(enum rmw kind, uint64_t old, uint64_t operand)
{
	switch (kind) {
	case RMW_EXCHANGE:
		return operand;
	case RMW_ADD:
		return old + operand;
	case RMW_SUB:
		return old - operand;
	case RMW_AND:
		return old & operand;
	case RMW_OR:
		return old | operand;
	case RMW_XOR:
		return old ^ operand;
	case RMW_NAND:
		return ~(old & operand);
	}
	return 0;
}

uint64_t memory_update(uintptr_t address, uint32_t size, enum rmw kind, uint64_t operand,
    memory_order order, const void *place)
{
	struct site_orders orders = site_orders(place, order, order);
	struct wanted wanted = {.order = orders.success, .use = USE_UPDATE};
	struct location *location;
	int32_t chosen;
	uint64_t old;

	turn(OP_READS | OP_WRITES, address, wanted, place);
	location = location_at(address, size, place);
	chosen = choose(location, wanted, place);
	old = stores[chosen].value;
	report_step(
	    orders.is_lost ? "update left out" : "update", orders.success, address, old, place);
	if (!orders.is_lost)
		put(location, chosen, result(kind, old, operand), orders.success, USE_UPDATE);
	shadow_access(address, size, true, true, place);
	thread_note(OP_READS | OP_WRITES, address);
	return old;
}

uint64_t memory_replace(uintptr_t address, uint32_t size, uint64_t expected, uint64_t value,
    memory_order order, memory_order failure, const void *place)
{
	struct site_orders orders = site_orders(place, order, failure);
	struct wanted wanted = {.order = orders.success,
	    .use = USE_UPDATE,
	    .compares = true,
	    .value = expected,
	    .failure = orders.failure};
	struct location *location;
	int32_t chosen;
	uint64_t old;

	turn(OP_READS | OP_WRITES, address, wanted, place);
	location = location_at(address, size, place);
	chosen = choose(location, wanted, place);
	old = stores[chosen].value;
	if (old == expected || (orders.is_lost && has_room(&stores[chosen]))) {
		report_step("replace", orders.success, address, old, place);
		put(location, chosen, value, orders.success, USE_UPDATE);
		old = expected;
	} else {
		note_look(place, location, chosen);
		read_store(location, chosen, orders.failure);
		report_step("replace fails", orders.failure, address, old, place);
	}
	shadow_access(address, size, true, true, place);
	thread_note(OP_READS | OP_WRITES, address);
	return old;
}

/* The newest store that the calling thread knows. */
static int32_t newest_known(const struct location *location)
{
	int32_t known = location->last;

	while (known != location->first && !is_known(&stores[known]))
		known = stores[known].previous;
	return known;
}

/*
 * A thread that executes a sequential fence learns what all threads knew that executed one before.
 * Fences have the order of execution, but no order with sequential operations on objects, which
 * would allow fewer outcomes.
 */
static void pass_sequential_fence(void)
{
	const struct operation operation = {OP_ORDERS, (uintptr_t)&memory_fence};

	thread_turn(operation.kind, operation.address, false);
	advance();
	for (uint32_t i = 0; i < location_count; i++) {
		struct location *location = &locations[i];
		int32_t known = newest_known(location);

		if (location->fenced != NO_STORE &&
		    stores[location->fenced].rank > stores[known].rank)
			see(&stores[location->fenced]);
		else
			location->fenced = known;
	}
	search_note(&operation);
}

void memory_fence(memory_order order)
{
	struct thread *self = check_self;

	if (is_acquire(order))
		clock_join(&self->clock, &self->acquired);
	if (order == memory_order_seq_cst)
		pass_sequential_fence();
	if (is_release(order)) {
		self->released = self->clock;
		advance();
	}
}

void memory_barrier_of_all(void)
{
	for (uint32_t i = 0; i < location_count; i++) {
		struct store *newest = &stores[locations[i].last];

		for (int j = 0; j < CHECK_THREADS; j++)
			if (newest->seen[j] == 0 && check_threads[j].state != THREAD_UNUSED)
				newest->seen[j] = check_threads[j].clock.at[j];
	}
}

void memory_see(const struct clock *clock)
{
	for (uint32_t i = 0; i < location_count; i++)
		for (int32_t at = locations[i].last; at != NO_STORE; at = stores[at].previous)
			if (is_known_at(&stores[at], clock)) {
				see(&stores[at]);
				break;
			}
}

uint32_t memory_kernel_load(uintptr_t address, const void *place)
{
	struct wanted wanted = {.order = memory_order_relaxed, .use = USE_LOAD, .is_kernel = true};
	struct location *location = location_at(address, sizeof(uint32_t), place);
	int32_t chosen = choose(location, wanted, place);

	shadow_access(address, sizeof(uint32_t), false, true, place);
	note_look(place, location, chosen);
	return (uint32_t)read_store(location, chosen, memory_order_relaxed);
}

void memory_kernel_wake(uintptr_t address, const void *place)
{
	struct location *location = location_at(address, sizeof(uint32_t), place);
	int32_t known = newest_known(location);

	if (location->floor == NO_STORE || stores[location->floor].rank < stores[known].rank)
		location->floor = known;
}
