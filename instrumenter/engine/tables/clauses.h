/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clauses of a directive, and their distribution over the constructs that a combined directive
 * is taken apart into. All knowledge of clauses is in the one table behind these functions.
 */
#ifndef CLAUSES_H
#define CLAUSES_H

#include "arena.h"
#include "directives.h"

struct clause_rule;

struct clause {
	const char *name;      /* "" for a directive's own argument, as in critical(name) */
	const char *text;      /* as written */
	const char *arguments; /* between the parentheses, NULL without them */
	const struct clause_rule *rule; /* NULL for a clause that the table does not know */
};

struct clause_list {
	struct clause *clauses;
	size_t count, room;
	const char *error; /* why the text could not be split, NULL when it could */
};

struct clause_list clauses_read(struct inst_arena *arena, const char *text);

/* The first clause of this name, or NULL. */
const struct clause *find_clause(const struct clause_list *list, const char *name);

/* Is `name` an item of the clause's list? */
bool clause_lists(const struct clause *clause, const char *name);

/* Does a default clause leave variables without an attribute, or make them private? */
bool clauses_restrict_default(const struct clause_list *list);

/* Is it default(none)? */
bool clauses_require_listing(const struct clause_list *list);

/* Does a clause forbid to replace the implicit barrier by nowait and an explicit one? */
bool clauses_keep_wait(const struct clause_list *list);

/* Some leaves of a combined directive that stay one directive: `parallel`, `for simd`. */
struct directive_part {
	size_t first_leaf, leaf_count;
	struct inst_buffer clauses; /* each with a blank before it */
};

enum { MAX_PARTS = 4 };

struct clause_split {
	struct directive_part parts[MAX_PARTS]; /* outermost first */
	size_t part_count;
	bool whole;            /* it may not be taken apart: one part, with calls around it only */
	const char *condition; /* an `if` expression that two parts need; NULL for none */
	const char *error;     /* why it cannot be taken apart, NULL when it could */
};

/* What the distribution has to know of the text. Lists of names have ", " before each. */
struct clause_context {
	/* The variable by which the parts refer to a split's condition. */
	const char *condition_name;
	/* Variables of the associated loops that are declared before; NULL when that is not clear.
	 */
	const char *loop_variables;
	const char *members; /* of the class whose member function it is in; NULL in no class */
};

/*
 * Distributes the clauses over the directive's parts. A `condition` has to be computed, once,
 * before the outermost one.
 */
struct clause_split clauses_split(struct inst_arena *arena, const struct directive_use *use,
    const struct clause_list *list, const struct clause_context *context);

/* Gives the only part of a split its clauses in other words for the same. */
void clauses_keep_written(
    struct inst_arena *arena, const struct clause_list *written, struct clause_split *split);

#endif
