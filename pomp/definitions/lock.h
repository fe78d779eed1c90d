/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One record for each lock variable and each critical name, for ever: a lock that is initialised
 * again at an old address continues its record.
 *
 * What a lock variable is called is found when the program ends (name-locks.h), by the file that
 * was at its address when it was first seen, and by where it was initialized.
 */
#ifndef LOCK_H
#define LOCK_H

#include "atomics.h"
#include "code-module.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { POMP_LOCK_FOLLOWED = 8 };

/*
 * Touched only by the thread that holds the lock, so no locked instruction is needed, and threads
 * that wait do not pull the line away from the holder. Times in ticks.
 */
struct pomp_lock {
	uint32_t number; /* from 1, as in the event log; 0: beyond those that it has room for */
	_Atomic bool is_defined; /* set by pomp_lock_define(), process lock held */
	const void *address;     /* lock variable, or NULL for a critical */
	const char *name; /* critical's name, "" for the unnamed one; NULL for a lock variable */
	const char *file; /* of the first critical seen, or NULL */
	int line;
	_Atomic uint32_t held; /* nesting depth */
	uint64_t holder;       /* whose the latest acquisition was: location + 1 */
	_Atomic uint64_t acquisitions, contended, wait, hold, acquired_at, released_at;

	/* Of the latest acquisitions: which one was followed by another, and when that came. */
	_Atomic uint64_t followed[POMP_LOCK_FOLLOWED], followed_at[POMP_LOCK_FOLLOWED];

	/*
	 * Of a lock variable: what was loaded at its address, and where the call returned to that
	 * initialized it, with what was loaded there. Written by the thread that found the lock or
	 * initializes it, read by a thread that ends the process meanwhile.
	 */
	_Atomic(const struct pomp_module *) module, init_module; /* NULL: not known */
	_Atomic(const void *) init; /* NULL: nowhere seen, pomp_lock_several: at several places */
	char *title;                /* its name, heap; NULL: not looked for, or memory ran out */
};

struct pomp_locks {
	_Atomic(struct pomp_lock_table *) table; /* lock variables by address */
	struct pomp_lock **entry;                /* all records, in order of number */
	size_t count, capacity;
};

extern struct pomp_locks pomp_locks __attribute__((visibility("hidden")));

/* The record of a lock variable, made on first sight; NULL when memory ran out. */
struct pomp_lock *pomp_lock_of_address(const void *address);

/* Stands for several places. */
extern const char pomp_lock_several[] __attribute__((visibility("hidden")));

/* Notes that the lock variable was initialized by a call that returned to that address. */
void pomp_lock_initialized(struct pomp_lock *lock, const void *returned_to);

/*
 * Writes to the definitions log what the lock variable will get its name by, unless that was done
 * before: for `ompreport recover`, should the program be killed. To be called by a thread that is
 * going to ask for the lock, so that the time to write counts neither as wait nor as hold.
 */
void pomp_lock_define(struct pomp_lock *lock);

/* Writes it again for all such locks: the log is new. Process lock held. */
void pomp_locks_define(void);

/* The record of a critical's name. Process lock held. */
struct pomp_lock *pomp_lock_of_critical(const char *name, const char *file, int line);

/*
 * The record of criticals whose lock is at the address; its name and file are "" until they are
 * known. Process lock held.
 */
struct pomp_lock *pomp_lock_of_unnamed(const void *address);

/*
 * Whether the holder's reading of the clock can stand as the time of its acquisition, which must
 * come after the release before it; if not, pomp_lock_earliest() is the time.
 *
 * A reading that stands behind the acquisition in the program is no proof of that. The processor
 * reads its counter as soon as it can, which is while the load that finds the lock free is still
 * under way to the core that releases it: measured were readings up to 110 ns too early. A fence
 * would cost about as much as the event. But the thread that holds the lock sees the time of the
 * release:
 *
 *   release   reads the clock, stores released_at, gives the lock back (release, by the runtime).
 *             The stored value is the reading, so that it was made before.
 *   acquire   takes the lock (acquire, by the runtime; pairs with the above), loads released_at
 */
static inline bool pomp_lock_time_fits(const struct pomp_lock *lock, uint64_t now)
{
	return likely(now > load_relaxed(&lock->released_at));
}

/* Later than the release by a tick: events of equal time on two threads have no order. */
static inline uint64_t pomp_lock_earliest(const struct pomp_lock *lock)
{
	return load_relaxed(&lock->released_at) + 1;
}

/*
 * Notes an acquisition by the caller, who asked for the lock at `enter` and now holds it. Returns
 * its number, from 1. It was contended when another thread held the lock meanwhile, that is when
 * the last release came after the enter: a rule that a trace's reader can apply to the same times.
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
 * Notes whose the acquisition was that has just been noted. Returns whether the one before was the
 * same thread's, which then need not say the number again.
 */
static inline bool pomp_lock_again(struct pomp_lock *lock, uint64_t location)
{
	bool again = lock->holder == location + 1;

	lock->holder = location + 1;
	return again;
}

/* Notes that the caller, who still holds the lock, is about to release it. */
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
 * The same where whoever reports it has released the lock already, and another thread may hold it
 * now: such a record does not count how deep its lock is held. To be called for each acquisition.
 */
static inline void pomp_lock_acquired_once(struct pomp_lock *lock)
{
	store_relaxed(&lock->held, 0);
}

/*
 * Who sees what of such a record: the thread that acquires says whom it follows and then looks when
 * the lock was released; the one that has released it says when, and then looks who followed. Both
 * in one order, so that at least one of them sees the other, and puts its own time behind or before
 * the other's: the trace has no two holders at once. A clock may tick slower than locks change
 * hands: so an acquisition counts as one tick later than the clock says, and than the one before
 * it, and what the holder before did, and its release, still come before it.
 *
 * The time of acquisition number `order`, at `now` by the clock; the caller holds the lock.
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
 * Notes the release of acquisition number `order`; returns when it counts as released: not before
 * `least`, which is when a thread that looks much too late says that it was. Such a one leaves the
 * time of a later release as it is, on which somebody may still rely.
 *
 *   released_at   acquire, where a later one is there already: its thread, or one before that, has
 *                 noted whom it follows before, which is seen then
 *   followed_at   release by the next holder, pairs with acquire here: when the place has another
 *                 one's time already, so many acquisitions are seen, too
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

/* Sets all counts to zero (the child of a fork). Process lock held. */
void pomp_locks_reset(struct pomp_locks *locks);

#endif
