/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clause table, and helpers that read a clause's argument. The reader of clauses and their
 * distribution over a combined directive's parts both use them.
 */
#ifndef CLAUSE_TABLE_H
#define CLAUSE_TABLE_H

#include "clauses.h"

/* The part of a combined directive that gets a clause, among the parts that accept it. */
enum clause_placement {
	PLACE_OUTERMOST,
	PLACE_INNERMOST,
	PLACE_INNERMOST_SHARED, /* ... and the outer parts share its variables */
	PLACE_ALL,
	PLACE_FIRSTPRIVATE, /* outermost; innermost if that makes tasks, or with lastprivate */
	PLACE_REDUCTION,    /* outermost; innermost if that has lanes or tasks */
	PLACE_CONDITION,    /* the named part, or all */
	PLACE_ALLOCATE,     /* with the clause that makes the variable private */
};

struct clause_rule {
	const char *name;
	uint64_t accepted_by; /* directive_bit() of the leaves */
	enum clause_placement placement;
	/* Modifiers with which the implicit barrier must stay ("" always, NULL never). */
	const char *keeps_wait;
};

const struct clause_rule *clause_rule_find(const char *name);

/* Does the argument begin with one of these modifiers, followed by `,` or `:`? */
bool clause_has_modifier(const struct clause *clause, const char *modifiers);

/* The offset where the variables of the argument begin: after modifiers and operators. */
size_t clause_list_begin(const struct clause *clause);

/* The next item of a list, starting at *at, as [*begin, *end); false after the last. */
bool clause_next_item(const char *arguments, size_t *at, size_t *begin, size_t *end);

#endif
