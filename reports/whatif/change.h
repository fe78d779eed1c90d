/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes to a recording: what the program would have done if a person had changed that. Each
 * assumes that the program stays right with it, which a trace does not show.
 */
#ifndef CHANGE_H
#define CHANGE_H

#include "analysis.h"
#include "change-kinds.h"
#include "recording.h"

struct change {
	enum change_kind kind;
	const bool *subjects; /* by construct, of CHANGE_UNLOCK by lock: what is changed */
	double number; /* threads, how many times faster, tasks to one; chunk, 0: none named */
	enum change_schedule schedule;
};

/*
 * What a change does with work that it divides and whose parts no event shows, such as the
 * iterations of a loop that one thread executed.
 */
enum division {
	DIVIDED_EVENLY,  /* anywhere: the most that the change can bring */
	DIVIDED_NOWHERE, /* all of it stays with one thread, and its place is the worst one */
};

/* Whether the change has a meaning for the construct; that of a lock has one for none. */
bool change_suits(enum change_kind kind, const struct construct *construct);

/* Returns whether the change divides such work, so that the two divisions differ. */
bool change_apply(struct recording *recording, const struct analysis *analysis,
    const struct change *change, enum division division);

/* Each kind's own. */
void change_scale(struct recording *recording, const bool *constructs, double factor);
bool change_share(struct recording *recording, const struct analysis *analysis,
    const struct change *change, enum division division); /* balance, schedule */
bool change_threads(struct recording *recording, const struct analysis *analysis, uint32_t threads,
    enum division division);
void change_grain(struct recording *recording, const bool *constructs, double tasks);

/*
 * The next execution of one of the constructs that the strand enters at *at or after: its body is
 * [*at, *end), without its barrier. false: there is none.
 */
bool change_find_body(const struct strand *strand, const bool *constructs, size_t *at, size_t *end);

/* The work in a part of a strand. */
uint64_t change_work(const struct strand *strand, size_t begin, size_t end);

#endif
