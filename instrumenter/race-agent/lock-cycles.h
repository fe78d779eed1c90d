/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds cycles in the orders in which strands take locks, and has each written to the log once. */
#ifndef LOCK_CYCLES_H
#define LOCK_CYCLES_H

#include "order-clocks.h"

#include <stddef.h>

enum { CYCLE_LOCKS = 8 };

/* A strand that holds one lock and wants the next one of the cycle. */
struct cycle_wait {
	const void *variable; /* of the lock that it wants */
	enum race_lock_kind kind;
	uint32_t thread;
	uintptr_t wanted_at[CYCLE_FRAMES];
	uintptr_t held_at[HELD_FRAMES]; /* where it took the lock that it holds */
};

/* waits[i] holds what waits[i - 1] wants, the first one what the last one wants. */
struct lock_cycle {
	uint32_t count; /* 1: the thread holds the lock itself */
	bool is_closed; /* all of its threads wait now: for ever */
	struct cycle_wait waits[CYCLE_LOCKS];
};

/*
 * The strand, which holds at least one lock, is about to wait for another one. frames: of the call,
 * as call_stack_walk() finds them.
 */
void lock_cycles_note(struct order_strand *strand, const struct race_lock *wanted,
    const uintptr_t frames[static HELD_FRAMES]);

/* The strand's thread is about to wait for a lock that it holds itself. */
void lock_cycles_note_own(const struct order_strand *strand, const struct held_lock *held,
    const struct race_lock *wanted, const uintptr_t frames[static HELD_FRAMES]);

/* The lock at this address ends, or another one begins there. */
void lock_cycles_forget(const void *identity);

/* Memory is freed: locks in it end, such as those of C++ whose end is no call. */
void lock_cycles_forget_range(const void *begin, size_t size);

/*
 * Writes a cycle to the log. If it is closed and the log could be written, the process ends, as it
 * cannot come to its own end.
 */
void lock_cycle_write(const struct lock_cycle *cycle);

#endif
