/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts what beginnings have taken: each counts as the shortest one so far, because a longer one
 * lost its processor meanwhile or waited for memory.
 *
 * Who sees what: both numbers are only estimates, so all is relaxed. Threads that begin at once may
 * each see the state before the others: the budget is exceeded by these, and made up for later.
 */
#include "begin-budget.h"

#include "pomp-atomics.h"

/* The part of the elapsed time, and what a run may spend at once: half a millisecond or less. */
#define SPENT_PART  400
#define SPENT_FIRST (UINT64_C(1) << 20)

/* Ticks that a beginning takes at most; the first ones lose their processor or wait for memory. */
#define TAKES_MOST (UINT64_C(1) << 16)

/* The end of a thread, where the kernel frees what the beginning made, takes as long again. */
#define WITH_END 2

static _Atomic uint64_t spent, shortest = TAKES_MOST; /* ticks */

bool pomp_budget_allows(uint64_t elapsed)
{
	return load_relaxed(&spent) <= SPENT_FIRST + elapsed / SPENT_PART;
}

void pomp_budget_spend(uint64_t ticks)
{
	uint64_t least = load_relaxed(&shortest);

	if (ticks < least) {
		least = ticks > 0 ? ticks : 1;
		store_relaxed(&shortest, least);
	}
	fetch_add_relaxed(&spent, least * WITH_END);
}
