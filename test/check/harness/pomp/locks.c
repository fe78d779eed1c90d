/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of lock variables, which threads read without a lock: each address has one record,
 * whichever thread asks first, and every thread sees it complete while the table grows. The thread
 * that holds a lock writes its record's counts. Bounds: two threads; the table grows once.
 */
#include "check.h"
#include "library.h"

#include <pthread.h>

enum { BEFORE_GROWTH = 128 };

static char variables[BEFORE_GROWTH + 2];
static struct pomp_lock *found[2];

/* The address of a lock, one word apart from its neighbours. */
static const void *variable(int number)
{
	return (const void *)((uintptr_t)variables + sizeof(uint64_t) * (size_t)number);
}

static void ask(void *number)
{
	const int *which = number;

	found[*which] = pomp_lock_of_address(variable(BEFORE_GROWTH));
}

static int zero = 0, one = 1;

static void first(void)
{
	check_start(ask, &one);
	ask(&zero);
	check_join();
	EXPECT(found[0] != NULL && found[0] == found[1]);
	EXPECT(found[0]->address == variable(BEFORE_GROWTH) && found[0]->number == 1);
	EXPECT(pomp_locks.count == 1);
}
HARNESS(pomp_locks_first, "two threads ask for the first lock") = {.run = first};

static void ask_for_old(void *unused)
{
	struct pomp_lock *old = pomp_lock_of_address(variable(7));

	(void)unused;
	EXPECT(old != NULL && old->number == 8 && old->address == variable(7));
}

static void growing(void)
{
	for (int i = 0; i < BEFORE_GROWTH; i++)
		EXPECT(pomp_lock_of_address(variable(i))->number == (uint32_t)i + 1);
	check_start(ask_for_old, NULL);
	ask(&zero);
	check_join();
	EXPECT(found[0]->number == BEFORE_GROWTH + 1);
	EXPECT(pomp_locks.count == BEFORE_GROWTH + 1);
}
HARNESS(pomp_locks_growing, "a thread finds a lock while another's lets the table grow") = {
    .run = growing};

/* What the lock protects. */
static int counter;

static void hold(void *unused)
{
	(void)unused;
	pomp_set_lock(variables);
	counter++;
	pomp_unset_lock(variables);
}

static void held(void)
{
	library_measures();
	library_thread();
	pomp_lock_of_address(variables);
	check_start(hold, NULL);
	hold(NULL);
	check_join();
	struct pomp_lock *lock = pomp_lock_of_address(variables);
	EXPECT(counter == 2);
	EXPECT(load_relaxed(&lock->acquisitions) == 2 && load_relaxed(&lock->held) == 0);
	EXPECT(load_relaxed(&lock->released_at) >= load_relaxed(&lock->acquired_at));
}
HARNESS(pomp_locks_held, "two threads hold a lock that is measured") = {.run = held};
