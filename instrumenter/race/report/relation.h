/* SPDX-License-Identifier: BSD-3-Clause */
/* The relation between the two accesses of a race, judging by the constructs around them. */
#ifndef RACE_RELATION_H
#define RACE_RELATION_H

#include "race-findings.h"
#include "race-source.h"

enum race_rule {
	RACE_RULE_ATOMIC,     /* one access is atomic, the other is not */
	RACE_RULE_CRITICAL,   /* one is in a critical construct, the other in none or another */
	RACE_RULE_ITERATIONS, /* of one loop */
	RACE_RULE_TASKS,
	RACE_RULE_SECTIONS,
	RACE_RULE_BARRIER, /* of a team, in two constructs with no barrier in between */
	RACE_RULE_TEAM,    /* threads of a team */
	RACE_RULE_TEAMS,   /* of a league */
	RACE_RULE_THREADS, /* no construct is known */
	/* Not of races, but of deadlocks: */
	RACE_RULE_LOCK_ORDER,
	RACE_RULE_LOCK_TWICE,
	/* Of memory errors: */
	RACE_RULE_ENDED_FRAME,
	RACE_RULE_FREED,
	RACE_RULE_OUT_OF_BOUNDS,
	RACE_RULE_NULL_POINTER,
	RACE_RULE_UNWRITTEN,
	RACE_RULE_OTHER_MEMORY,
	RACE_RULE_COUNT,
};

/* Names and descriptions, for documents. */
extern const char *const race_rule_names[RACE_RULE_COUNT];
extern const char *const race_rule_texts[RACE_RULE_COUNT];

struct race_position {
	const struct race_text *text;           /* of the access's own line; NULL: unknown */
	const struct race_text *innermost_text; /* the file of the innermost construct, or NULL */
	const struct race_construct *innermost; /* or NULL */
	const struct race_text *around;         /* the file of `unit`, or NULL */
	/* The innermost construct with concurrent executions: neither critical nor atomic ... */
	const struct race_construct *unit;
	const struct race_construct *critical; /* around the access, or NULL */
	bool
	    is_called; /* the access is not in the text of `unit`, but in a function called there */
	bool is_outside; /* no construct is around it, and the runtime did not call it */
};

struct race_relation {
	enum race_rule rule;
	struct race_position at[2];
	bool same_unit;
	const struct race_construct
	    *earlier; /* RACE_RULE_BARRIER: the construct without a barrier at its end */
	const struct race_text *earlier_text;
};

struct race_relation race_relate(struct race_sources *sources, const struct race_finding *finding);

/* The construct around this one, or NULL. */
const struct race_construct *race_parent(
    const struct race_text *text, const struct race_construct *construct);

/* The name of a critical construct, "" if it has none; "" for NULL. */
const char *race_critical_name(const struct race_construct *critical);

/* Does one of its leaves have iterations? */
bool race_is_loop(const struct race_construct *construct);

#endif
