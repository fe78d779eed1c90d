/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes to a recording: what the program would have done if its source or settings had been
 * changed. Each change assumes that the program stays correct, which a trace does not show.
 */
#ifndef CHANGE_H
#define CHANGE_H

#include "analysis.h"
#include "change-kinds.h"
#include "recording.h"
#include "shared/loop-schedule.h"

struct change {
	enum change_kind kind;
	const bool *subjects; /* by construct, for CHANGE_UNLOCK by lock: what to change */
	double number;        /* threads, speed-up factor, tasks per task; chunk, or 0 for none */
	enum loop_schedule_kind schedule;
};

/*
 * How a change treats what no event shows: the parts of work that it divides, such as the
 * iterations of a loop that one thread executed, and what the chunks of loops cost.
 */
enum division {
	DIVIDED_EVENLY,  /* anywhere: the best that the change can achieve */
	DIVIDED_CHEAPLY, /* anywhere, and chunks cost nothing */
	DIVIDED_DEARLY,  /* anywhere, and chunks cost the most that is likely */
	DIVIDED_NOWHERE, /* all of it stays with one thread, in the worst place */
};

/* What a result depends on: each a bit. */
enum unknown {
	UNKNOWN_PARTS = 1, /* whether work can be divided: DIVIDED_NOWHERE */
	UNKNOWN_CHUNKS = 2 /* what chunks cost: DIVIDED_CHEAPLY, DIVIDED_DEARLY */
};

/* Work that is at most this many times longer counts as the same. */
#define EVEN_ENOUGH 1.05

/* Whether the change is meaningful for the construct; CHANGE_UNLOCK is not meaningful for any. */
bool change_suits(enum change_kind kind, const struct construct *construct);

/* Returns what the result depends on (enum unknown); only in that do the divisions differ. */
unsigned change_apply(struct recording *recording, const struct analysis *analysis,
    const struct change *change, enum division division);

/* The function of each kind. */
unsigned change_share(struct recording *recording, const struct analysis *analysis,
    const struct change *change, enum division division); /* balance, schedule */
unsigned change_threads(struct recording *recording, const struct analysis *analysis,
    uint32_t threads, enum division division);
void change_grain(struct recording *recording, const bool *constructs, double tasks);

/*
 * The next execution of one of the constructs: the first that the strand enters at *at or later.
 * Its body is [*at, *end), without its barrier. Returns false if there is none.
 */
bool change_find_body(const struct strand *strand, const bool *constructs, size_t *at, size_t *end);

/* The work in a part of a strand. */
uint64_t change_work(const struct strand *strand, size_t begin, size_t end);

#endif
