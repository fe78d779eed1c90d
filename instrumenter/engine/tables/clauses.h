/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clauses of a directive, and their distribution over the parts of a combined directive. All
 * knowledge about clauses is in the one table behind these functions.
 */
#ifndef CLAUSES_H
#define CLAUSES_H

#include "arena.h"
#include "directives.h"

struct clause_rule;

struct clause {
	const char *name;      /* "" for a directive's own argument, as in critical(name) */
	const char *text;      /* as written */
	const char *arguments; /* between the parentheses; NULL without parentheses */
	const struct clause_rule *rule; /* NULL if the table does not know the clause */
};

struct clause_list {
	struct clause *clauses;
	size_t count, room;
	const char *error; /* NULL, or why the text could not be split */
};

struct clause_list clauses_read(struct inst_arena *arena, const char *text);

/* The first clause of this name, or NULL. */
const struct clause *find_clause(const struct clause_list *list, const char *name);

/* Is `name` an item of the clause's list? */
bool clause_lists(const struct clause *clause, const char *name);

/* Does a default clause make variables private or leave them without an attribute? */
bool clauses_restrict_default(const struct clause_list *list);

/* Is it default(none)? */
bool clauses_require_listing(const struct clause_list *list);

/* Does a clause forbid replacing the implicit barrier by nowait and an explicit barrier? */
bool clauses_keep_wait(const struct clause_list *list);

/* Consecutive leaves of a combined directive that stay one directive: `parallel`, `for simd`. */
struct directive_part {
	size_t first_leaf, leaf_count;
	struct inst_buffer clauses; /* each with a blank in front */
};

enum { MAX_PARTS = 4 };

struct clause_split {
	struct directive_part parts[MAX_PARTS]; /* outermost first */
	size_t part_count;
	bool whole;            /* the directive stays one part, with calls only around it */
	const char *condition; /* an `if` expression that two parts need, or NULL */
	const char *error;     /* NULL, or why the directive cannot be split */
};

/*
 * What the distribution needs to know about the text. In lists of names, ", " precedes each name.
 */
struct clause_context {
	/* The variable that holds a split's condition. */
	const char *condition_name;
	/*
	 * Loop variables of the associated loops that are declared before the construct; NULL:
	 * unknown.
	 */
	const char *loop_variables;
	const char *members; /* of the class around the member function; NULL outside classes */
};

/*
 * Distributes the clauses over the directive's parts. If the split has a `condition`, it must be
 * computed once, before the outermost part.
 */
struct clause_split clauses_split(struct inst_arena *arena, const struct directive_use *use,
    const struct clause_list *list, const struct clause_context *context);

/* Replaces the clauses of a split's only part by the same clauses as the user wrote them. */
void clauses_keep_written(
    struct inst_arena *arena, const struct clause_list *written, struct clause_split *split);

#endif
