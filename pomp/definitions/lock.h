/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One record for each lock variable and each critical name. Records are never freed: a lock that is
 * initialised again at an old address continues its record.
 *
 * The name of a lock variable is looked up when the program ends (name-locks.h), from the file that
 * was at its address when it was first seen, and from where it was initialized.
 */
#ifndef LOCK_H
#define LOCK_H

#include "pomp-atomics.h"
#include "code-module.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { POMP_LOCK_FOLLOWED = 8 };

/*
 * Only the thread that holds the lock touches the record. It therefore needs no locked instruction,
 * and waiting threads do not take the cache line away from the holder. Times in ticks.
 */
struct pomp_lock {
	uint32_t number; /* from 1, as in the event log; 0: there are too many for the log */
	_Atomic bool is_defined; /* set by pomp_lock_define(), process lock held */
	const void *address;     /* lock variable, or NULL for a critical */
	const char *name; /* critical's name, "" for the unnamed one; NULL for a lock variable */
	const char *file; /* file of the first critical seen, or NULL */
	int line;
	_Atomic uint32_t held; /* nesting depth */
	uint64_t holder;       /* the thread of the latest acquisition: location + 1 */
	_Atomic uint64_t acquisitions, contended, wait, hold, acquired_at, released_at;

	/* For the latest acquisitions: which ones were followed by another, and when that came. */
	_Atomic uint64_t followed[POMP_LOCK_FOLLOWED], followed_at[POMP_LOCK_FOLLOWED];

	/*
	 * For a lock variable: the module at its address; the return address of the call that
	 * initialized it, and the module there. Written by the thread that found the lock or
	 * initializes it; a thread that meanwhile ends the process may read them.
	 */
	_Atomic(const struct pomp_module *) module, init_module; /* NULL: unknown */
	_Atomic(const void *) init; /* NULL: not seen; pomp_lock_several: at several places */
	char *title;                /* its name, heap; NULL: not looked up, or memory ran out */
};

struct pomp_locks {
	_Atomic(struct pomp_lock_table *) table; /* lock variables by address */
	struct pomp_lock **entry;                /* all records, in order of number */
	size_t count, capacity;
	/*
	 * Set when the measurement starts, if logs repeat each acquisition's number: an earlier
	 * record may be lost.
	 */
	bool repeats_numbers;
};

extern struct pomp_locks pomp_locks __attribute__((visibility("hidden")));

/* Returns the record of a lock variable, made when first seen; NULL when memory ran out. */
struct pomp_lock *pomp_lock_of_address(const void *address);

/* A placeholder for several places. */
extern const char pomp_lock_several[] __attribute__((visibility("hidden")));

/* Records that a call with this return address initialized the lock variable. */
void pomp_lock_initialized(struct pomp_lock *lock, const void *returned_to);

/*
 * Writes to the definitions log what is needed to name the lock variable, unless that was done
 * before; `ompreport recover` uses it if the program is killed. Must be called by a thread before
 * it asks for the lock, so that the time for writing counts neither as wait nor as hold.
 */
void pomp_lock_define(struct pomp_lock *lock);

/* Writes it again for all such locks, to a new log. */
void pomp_locks_define(void);

/* Returns the record of a critical's name. */
struct pomp_lock *pomp_lock_of_critical(const char *name, const char *file, int line);

/*
 * Returns the record of criticals whose lock is at the address; its name and file are "" until they
 * are known.
 */
struct pomp_lock *pomp_lock_of_unnamed(const void *address);

/*
 * Returns whether the holder's reading of the clock can be the time of its acquisition, which must
 * come after the previous release. If not, pomp_lock_earliest() is the time.
 *
 * That the clock is read after the acquisition in program order does not guarantee this. The
 * processor reads its counter as soon as it can, even while the load that finds the lock free is
 * still waiting for the releasing core; readings up to 110 ns too early were measured. A fence
 * would cost about as much as the event. But the thread that holds the lock sees the time of the
 * release:
 *
 *   release   reads the clock, stores released_at, releases the lock (release, in the runtime). The
 *             stored value is the reading itself, so the reading was made before.
 *   acquire   takes the lock (acquire, in the runtime; pairs with the above), loads released_at
 */
static inline bool pomp_lock_time_fits(const struct pomp_lock *lock, uint64_t now)
{
	return likely(now > load_relaxed(&lock->released_at));
}

/* One tick after the release: events with equal times on two threads have no order. */
static inline uint64_t pomp_lock_earliest(const struct pomp_lock *lock)
{
	return load_relaxed(&lock->released_at) + 1;
}

/*
 * Records an acquisition by the caller, which asked for the lock at `enter` and now holds it.
 * Returns the number of the acquisition, from 1. It was contended if another thread held the lock
 * meanwhile, that is, if the last release came after the enter. The reader of a trace can apply the
 * same rule to the same times.
 */
static inline uint64_t pomp_lock_acquired(
    struct pomp_lock *lock, uint64_t enter, uint64_t now, uint64_t wait)
{
	uint32_t held = load_relaxed(&lock->held);

	if (held == 0)
		store_relaxed(&lock->acquired_at, now);
	store_relaxed(&lock->held, held + 1);
	uint64_t order = load_relaxed(&lock->acquisitions) + 1;
	store_relaxed(&lock->acquisitions, order);
	add_own(&lock->wait, wait);
	if (load_relaxed(&lock->released_at) > enter)
		add_own(&lock->contended, 1);
	return order;
}

/*
 * Records which thread made the acquisition that was just recorded. Returns whether the previous
 * one was by the same thread, so that the log need not repeat the number.
 */
static inline bool pomp_lock_again(struct pomp_lock *lock, uint64_t location)
{
	bool again = lock->holder == location + 1;

	lock->holder = pomp_locks.repeats_numbers ? 0 : location + 1;
	return again;
}

/* Records that the caller, which still holds the lock, is about to release it. */
static inline void pomp_lock_released(struct pomp_lock *lock, uint64_t now)
{
	uint32_t held = load_relaxed(&lock->held);

	if (held == 0)
		return;
	store_relaxed(&lock->held, held - 1);
	if (held == 1) {
		add_own(&lock->hold, now - load_relaxed(&lock->acquired_at));
		store_relaxed(&lock->released_at, now);
	}
}

/*
 * For a lock whose release is reported only after it happened, so that another thread may already
 * hold it: its record does not count the nesting depth. Must be called for each acquisition.
 */
static inline void pomp_lock_acquired_once(struct pomp_lock *lock)
{
	store_relaxed(&lock->held, 0);
}

/*
 * Who sees what in such a record: the thread that acquires stores which acquisition it follows, and
 * then reads the time of the release. The thread that released stores the time, and then reads
 * whether another acquisition followed. All threads agree on one order of these, so at least one of
 * the two sees the other's store and moves its own time after or before the other's: the trace
 * never shows two holders at once.
 *
 * Locks may change hands faster than the clock ticks. An acquisition therefore counts as one tick
 * later than the clock shows, and than the previous acquisition; what the previous holder did, and
 * its release, still come before it.
 *
 * Returns the time of acquisition number `order`, at `now` by the clock; the caller holds the lock.
 */
static inline uint64_t pomp_lock_time_following(
    struct pomp_lock *lock, uint64_t order, uint64_t now)
{
	size_t place = (order - 1) % POMP_LOCK_FOLLOWED;
	uint64_t before = load_relaxed(&lock->acquired_at);

	now = (now > before ? now : before) + 1;
	store_release(&lock->followed_at[place], now);
	exchange_ordered(&lock->followed[place], order - 1);
	uint64_t released = load_ordered(&lock->released_at);
	return likely(now > released) ? now : released + 1;
}

/*
 * Records the release of acquisition number `order`. Returns the time at which it counts as
 * released: not before `least`, which is used if this thread looks much too late. Such a thread
 * leaves the time of a later release unchanged, because another thread may rely on it.
 *
 *   released_at   acquire, for the case that a later release is already there: its thread, or an
 *                 earlier one, had stored before which acquisition it follows, and this thread then
 *                 sees that
 *   followed_at   release by the next holder, pairs with acquire here: if the slot already has a
 *                 later acquisition's time, this thread also sees that many acquisitions
 */
static inline uint64_t pomp_lock_was_released(
    struct pomp_lock *lock, uint64_t order, uint64_t acquired, uint64_t least, uint64_t now)
{
	size_t place = order % POMP_LOCK_FOLLOWED;
	uint64_t latest = load_acquire(&lock->released_at);

	while (latest < now && !replace_ordered(&lock->released_at, &latest, now))
		;
	uint64_t followed = load_ordered(&lock->followed[place]);
	if (unlikely(followed >= order)) {
		uint64_t next = load_acquire(&lock->followed_at[place]);
		bool is_over = load_relaxed(&lock->acquisitions) >= order + POMP_LOCK_FOLLOWED;
		if (is_over || next <= now)
			now = is_over ? least : next - 1;
	}
	now = now > least ? now : least;
	fetch_add_relaxed(&lock->hold, now - acquired);
	return now;
}

/* Sets all counts to zero (the child of a fork). */
void pomp_locks_reset(struct pomp_locks *locks);

#endif
