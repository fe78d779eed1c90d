/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The locks that each strand holds. A strand's list is its own, and so taking a lock costs a few
 * stores as long as the strand holds no other one.
 *
 * Who sees what: another thread than the strand's reads an identity only to see whether it gives
 * back a lock that the strand took (a pthread mutex may be used so), and then stores null. Both are
 * relaxed: the program has to order the two calls itself, as the mutex's owner must not change
 * while it is given back.
 */
#include "held-locks.h"

#include "call-stack.h"
#include "lock-cycles.h"
#include "order-clocks.h"
#include "tsan-report.h"

#include <stddef.h>

static const void *identity_of(const struct held_lock *held)
{
	return load_relaxed(&held->identity);
}

static uint32_t count_of(const struct order_strand *strand)
{
	return load_relaxed(&strand->held_count);
}

static void set_count(struct order_strand *strand, uint32_t count)
{
	store_relaxed(&strand->held_count, count);
}

/* The strand's own entry for the lock, or NULL. */
static struct held_lock *find(struct order_strand *strand, const void *identity)
{
	for (uint32_t i = count_of(strand); i-- > 0;)
		if (identity_of(&strand->held[i]) == identity)
			return &strand->held[i];
	return NULL;
}

/*
 * The entry of a strand that the calling thread executes, or has suspended below: then the thread
 * waits for itself.
 */
static struct held_lock *find_in_thread(const struct race_lock *lock)
{
	struct held_lock *held = NULL;
	uint32_t count = 0;

	for (uint32_t i = 0; i < THREAD_STRANDS && i < order_own.next && held == NULL; i++) {
		struct order_strand *strand = order_strand_of_thread(i);
		if (strand == NULL)
			continue;
		held = find(strand, lock->identity);
		count += count_of(strand) + strand->held_more;
	}
	if (held == NULL)
		order_own.held = count;
	return held != NULL && held->variable == lock->variable ? held : NULL;
}

/* Removes entries that other threads have given back. */
static void drop_given(struct order_strand *strand)
{
	uint32_t count = count_of(strand);

	while (count > 0 && identity_of(&strand->held[count - 1]) == NULL)
		count--;
	set_count(strand, count);
}

void held_lock_want(const struct race_lock *lock, const void *frame)
{
	struct order_strand *strand = order_strand_self();
	uintptr_t frames[HELD_FRAMES];

	if (strand == NULL || order_own.held == 0)
		return;
	drop_given(strand);
	struct held_lock *held = find_in_thread(lock);
	if (held == NULL && (count_of(strand) == 0 || strand->held_more > 0))
		return;
	call_stack_walk(strand, lock->caller, frame, frames, HELD_FRAMES);
	if (held != NULL)
		lock_cycles_note_own(strand, held, lock, frames);
	else
		lock_cycles_note(strand, lock, frames);
}

void held_lock_want_none(void)
{
	struct order_strand *strand = order_strand_self();

	if (strand != NULL)
		store_relaxed(&strand->wanted, NULL);
}

bool held_lock_has(const void *identity)
{
	struct order_strand *strand = order_strand_self();

	return strand != NULL && find(strand, identity) != NULL;
}

void ompinst_race_lock_wanted(const struct race_lock *lock)
{
	held_lock_want(lock, NULL);
}

void held_lock_add(const struct race_lock *lock, const void *frame)
{
	struct order_strand *strand = order_strand_self();

	if (strand == NULL)
		return;
	store_relaxed(&strand->wanted, NULL);
	drop_given(strand);
	uint32_t count = count_of(strand);
	order_own.held++;
	if (count == HELD_LOCKS) {
		strand->held_more++;
		return;
	}
	struct held_lock *held = &strand->held[count];
	held->variable = lock->variable;
	held->kind = lock->kind;
	call_stack_walk(strand, lock->caller, frame, held->frames, HELD_FRAMES);
	store_relaxed(&held->identity, lock->identity);
	set_count(strand, count + 1);
}

void ompinst_race_lock_taken(const struct race_lock *lock)
{
	held_lock_add(lock, NULL);
}

static void remove_at(struct order_strand *strand, struct held_lock *held)
{
	const uint32_t last = count_of(strand) - 1;

	for (; held < &strand->held[last]; held++) {
		held->variable = held[1].variable;
		held->kind = held[1].kind;
		for (unsigned i = 0; i < HELD_FRAMES; i++)
			held->frames[i] = held[1].frames[i];
		store_relaxed(&held->identity, identity_of(&held[1]));
	}
	set_count(strand, last);
}

void ompinst_race_lock_given(const void *identity)
{
	struct order_strand *strand = order_strand_self();
	struct held_lock *held;

	if (strand == NULL)
		return;
	held = find(strand, identity);
	if (held != NULL || strand->held_more > 0)
		order_own.held -= order_own.held > 0;
	if (held != NULL) {
		remove_at(strand, held);
		return;
	}
	if (strand->held_more > 0) {
		strand->held_more--;
		return;
	}
	for (uint32_t i = 0; i < order_strand_count(); i++) {
		held = find(order_strand_at(i), identity);
		if (held != NULL)
			store_relaxed(&held->identity, NULL);
	}
}

void held_lock_free(const volatile void *memory)
{
	if (order_clocks_are_counting() && memory != NULL)
		lock_cycles_forget_range(
		    (const void *)memory, __sanitizer_get_allocated_size(memory));
}

void ompinst_race_lock_new(const void *identity)
{
	if (order_clocks_are_counting())
		lock_cycles_forget(identity);
}
