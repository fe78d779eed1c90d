/* SPDX-License-Identifier: BSD-3-Clause */
/* The cycles of locks of all runs, each once, with the places in the source. */
#ifndef RACE_DEADLOCKS_H
#define RACE_DEADLOCKS_H

#include "race-findings.h"

/* A lock, as much as is known of it. */
struct race_lock_object {
	enum race_lock_type kind;
	const char *critical; /* the name of the critical construct, "" for none; NULL: not known */
	struct race_place place;
	struct race_variable variable; /* without what is inside of the lock's type */
	struct race_line allocated;
};

/* A thread takes `wanted` at one place, while it holds `held` since another one. */
struct race_lock_step {
	struct race_side at, since;
	struct race_lock_object wanted, held;
	struct race_seen seen; /* if no run has shown all steps */
};

struct race_deadlock {
	/* In the order of the cycle: each pair of places once or, if is_joined, each wait. */
	struct race_lock_step *steps;
	size_t count;
	size_t threads;        /* of the shortest cycle; 1: a thread waits for itself */
	struct race_seen seen; /* the runs that have shown all of it or, if is_joined, a part */
	bool is_joined;        /* no run has shown all of it */
	unsigned closed_count; /* runs that ended in it */
	struct race_verdict verdict;
	size_t cause; /* index of the first one with the same locks; by race_judge_deadlocks() */
};

struct race_deadlocks {
	struct race_deadlock *items;
	size_t count, room;
};

/* Makes one finding for each set of places, in the order of these. Cycles in code that is not the
 * user's are left out. */
void race_deadlocks_make(struct inst_arena *arena, struct race_code *code,
    const struct race_reports *reports, const struct suppressions *suppressions,
    struct race_deadlocks *deadlocks);

#endif
