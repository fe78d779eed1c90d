/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Strands, their clocks, and the objects at which they release and acquire. All memory is static,
 * and the kernel provides only the pages that are used: 2 KB for a strand and for an object. The
 * code allocates nothing, and calls no function that ThreadSanitizer intercepts, such as memcpy():
 * it would take these tables for the program's.
 *
 * Who sees what:
 *   strand     only the thread that executes it, except what lock-cycles.c reads under its lock;
 *              strand_count is stored with release after the strand is filled, and acquired before
 *              strands are read
 *   object     under the lock of its shard
 *   counting   relaxed: a thread that misses it for a moment leaves out an order with what the
 *              other thread did after it began to count. Orders that matter pass from a thread that
 *              counts by the very release that is counted, and the program's own synchronization
 *              then makes the word visible
 */
#include "order-clocks.h"

#include "tsan-report.h"

#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>

enum { SHARDS = 64, OBJECTS = 512, BUCKETS = 512, NONE = 0 };

_Atomic bool order_is_on;

static struct {
	_Atomic bool is_counting;
	_Atomic uint32_t strand_count, threads;
	struct agent_lock lock; /* held while a strand is added */
	struct order_strand strands[CLOCK_STRANDS];
} all;

/* An object at which something was released. */
struct object {
	const void *address;
	uint16_t next; /* in its bucket or in the list of free ones: index + 1, or NONE */
	struct order_clock clock;
};

static struct shard {
	struct agent_lock lock;
	uint16_t used, free; /* objects used once; the first free one of them: index + 1, or NONE */
	uint16_t buckets[BUCKETS]; /* index + 1, or NONE */
	struct object objects[OBJECTS];
} shards[SHARDS];

_Thread_local struct order_thread order_own;

/* acquire and release: what the last holder wrote is seen. */
void agent_lock_take(struct agent_lock *lock)
{
	while (exchange_acquire(&lock->is_taken, true))
		sched_yield();
}

void agent_lock_give(struct agent_lock *lock)
{
	store_release(&lock->is_taken, false);
}

/* Are the functions of thread-calls.c the program's? */
static bool sees_threads(void)
{
	const void *first = dlsym(RTLD_DEFAULT, "pthread_create");
	Dl_info theirs, ours;

	return first != NULL && dladdr(first, &theirs) != 0 &&
	       dladdr((const void *)&all, &ours) != 0 && theirs.dli_fbase == ours.dli_fbase;
}

void order_clocks_begin(void)
{
	if (__tsan_get_current_fiber != NULL && sees_threads())
		store_relaxed(&order_is_on, true);
}

void order_clocks_stop(void)
{
	store_relaxed(&all.is_counting, false);
	store_relaxed(&order_is_on, false);
}

void order_clocks_count(void)
{
	if (!order_clocks_are_counting())
		store_relaxed(&all.is_counting, true);
}

bool order_clocks_are_counting(void)
{
	return load_relaxed(&all.is_counting);
}

uint32_t order_strand_count(void)
{
	return load_acquire(&all.strand_count);
}

struct order_strand *order_strand_at(uint32_t index)
{
	return &all.strands[index];
}

/* Finds the strand of the fiber, or adds it; NULL: there is no room. */
static struct order_strand *find_strand(void *fiber)
{
	struct order_strand *strand = NULL;
	uint32_t count;

	agent_lock_take(&all.lock);
	count = load_relaxed(&all.strand_count);
	for (uint32_t i = 0; i < count && strand == NULL; i++)
		if (all.strands[i].fiber == fiber)
			strand = &all.strands[i];
	if (strand == NULL && count < CLOCK_STRANDS) {
		strand = &all.strands[count];
		strand->fiber = fiber;
		strand->index = count;
		strand->clock.at[count] = 1;
		store_release(&all.strand_count, count + 1);
	}
	agent_lock_give(&all.lock);
	return strand;
}

/*
 * A new thread or fiber may have the address of one that has ended: then both are one strand, which
 * hides some orders and invents none. What the old one held is not the new one's.
 */
static void adopt(struct order_strand *strand)
{
	if (order_own.thread == 0)
		order_own.thread = 1 + add_relaxed(&all.threads, 1);
	if (order_strand_thread(strand) == order_own.thread)
		return;
	store_relaxed(&strand->held_count, 0);
	store_relaxed(&strand->wanted, NULL);
	strand->held_more = 0;
	store_relaxed(&strand->thread, order_own.thread);
}

struct order_strand *order_strand_find(void *fiber)
{
	struct order_strand *strand = NULL;

	for (uint32_t i = 0; i < THREAD_STRANDS && strand == NULL; i++)
		if (order_own.recent[i] != NULL && order_own.recent[i]->fiber == fiber)
			strand = order_strand_of_thread(i);
	if (strand == NULL) {
		strand = find_strand(fiber);
		if (strand == NULL) {
			order_clocks_stop();
			return NULL;
		}
		adopt(strand);
		order_own.recent[order_own.next++ % THREAD_STRANDS] = strand;
	}
	order_own.fiber = fiber;
	order_own.strand = strand;
	return strand;
}

void order_strand_leave(void)
{
	order_own.is_away = true;
}

void order_strand_return(void)
{
	order_own.is_away = false;
}

static uint64_t hash_of(const void *address)
{
	return (uint64_t)(uintptr_t)address * UINT64_C(0x9E3779B97F4A7C15) >> 32;
}

/* The link that leads to the object's index: NONE in it if there is no such object. */
static uint16_t *find_link(struct shard *shard, uint64_t hash, const void *address)
{
	uint16_t *link = &shard->buckets[hash / SHARDS % BUCKETS];

	while (*link != NONE && shard->objects[*link - 1].address != address)
		link = &shard->objects[*link - 1].next;
	return link;
}

/* Returns an object with an empty clock, or NULL. */
static struct object *take_object(struct shard *shard, uint16_t *link, const void *address)
{
	struct object *object;
	uint16_t number = shard->free;

	if (number != NONE)
		shard->free = shard->objects[number - 1].next;
	else if (shard->used < OBJECTS)
		number = ++shard->used;
	else
		return NULL;
	object = &shard->objects[number - 1];
	object->address = address;
	object->next = NONE;
	for (uint32_t i = 0; i < CLOCK_STRANDS; i++)
		object->clock.at[i] = 0;
	*link = number;
	return object;
}

/* Returns whether something has changed. */
static bool merge(struct order_clock *into, const struct order_clock *from)
{
	const uint32_t count = order_strand_count();
	uint32_t change = 0;

	for (uint32_t i = 0; i < count; i++) {
		const uint32_t later = into->at[i] > from->at[i] ? into->at[i] : from->at[i];
		change |= into->at[i] ^ later;
		into->at[i] = later;
	}
	return change != 0;
}

/* Takes the lock of the address's shard, and finds the link there. */
static uint16_t *take_link(const void *address, struct shard **shard)
{
	const uint64_t hash = hash_of(address);

	*shard = &shards[hash % SHARDS];
	agent_lock_take(&(*shard)->lock);
	return find_link(*shard, hash, address);
}

void ompinst_race_release(const void *address)
{
	struct order_strand *strand;
	struct shard *shard;

	if (!order_clocks_are_counting() || (strand = order_strand_self()) == NULL)
		return;
	uint16_t *link = take_link(address, &shard);
	struct object *object =
	    *link != NONE ? &shard->objects[*link - 1] : take_object(shard, link, address);
	if (object != NULL)
		merge(&object->clock, &strand->clock);
	agent_lock_give(&shard->lock);
	strand->clock.at[strand->index]++;
	strand->epoch++;
	if (object == NULL)
		order_clocks_stop();
}

void ompinst_race_acquire(const void *address)
{
	struct order_strand *strand;
	struct shard *shard;

	position_acquired();
	if (!order_clocks_are_counting() || (strand = order_strand_self()) == NULL)
		return;
	const uint16_t *link = take_link(address, &shard);
	if (*link != NONE && merge(&strand->clock, &shard->objects[*link - 1].clock))
		strand->epoch++;
	agent_lock_give(&shard->lock);
}

void ompinst_race_forget(const void *address)
{
	struct shard *shard;

	if (!order_clocks_are_counting())
		return;
	uint16_t *link = take_link(address, &shard), number = *link;
	if (number != NONE) {
		*link = shard->objects[number - 1].next;
		shard->objects[number - 1].next = shard->free;
		shard->free = number;
	}
	agent_lock_give(&shard->lock);
}
