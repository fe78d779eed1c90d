/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clause table, and what reading an argument needs: for the reader of clauses and for their
 * distribution over a combined directive's parts.
 */
#ifndef CLAUSE_TABLE_H
#define CLAUSE_TABLE_H

#include "clauses.h"

/* Which parts of a combined directive a clause goes to, among those that accept it. */
enum clause_placement {
	PLACE_OUTERMOST,
	PLACE_INNERMOST,
	PLACE_INNERMOST_SHARED, /* ... and its variables are shared by the parts outside */
	PLACE_ALL,
	PLACE_FIRSTPRIVATE, /* outermost; innermost when that makes tasks, or with lastprivate */
	PLACE_REDUCTION,    /* outermost; innermost when that has lanes or tasks */
	PLACE_CONDITION,    /* the named part, or all */
	PLACE_ALLOCATE,     /* with the variable's privatising clause */
};

struct clause_rule {
	const char *name;
	uint64_t accepted_by; /* directive_bit() of the leaves */
	enum clause_placement placement;
	/* With one of these modifiers ("" always) the implicit barrier stays as it is; NULL never.
	 */
	const char *keeps_wait;
};

const struct clause_rule *clause_rule_find(const char *name);

/* Does the argument begin with one of these modifiers, followed by `,` or `:`? */
bool clause_has_modifier(const struct clause *clause, const char *modifiers);

/* Where the variables start in the argument: behind modifiers and operators. */
size_t clause_list_begin(const struct clause *clause);

/* The next item of a list from *at on, as [*begin, *end); false behind the last. */
bool clause_next_item(const char *arguments, size_t *at, size_t *begin, size_t *end);

#endif
