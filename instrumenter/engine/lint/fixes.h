/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Builds the changes of a finding's remedy. A check adds changes only where one remedy is right:
 * where the program then computes what it computes with one thread. If one change of a remedy is
 * not possible, the remedy has none.
 */
#ifndef LINT_FIXES_H
#define LINT_FIXES_H

#include "lint-unit.h"

/* Gives up: the text does not decide. */
static inline void lint_fix_refuse(struct lint_fixes *fixes)
{
	fixes->refused = true;
}

/* Adds a clause to the directive, or removes one: "nowait". */
void lint_fix_add(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct tree_construct *construct, const char *clause);
void lint_fix_remove(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct tree_construct *construct, const char *clause);

/*
 * Lists the variable in another clause of the directive: "private", "reduction" with the operation
 * "max: ". Takes it from the clause `from` if that lists it; refuses if another clause names it, or
 * if the directive accepts no such clause.
 */
void lint_fix_list(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct tree_construct *construct, const char *from, const char *clause,
    const char *operation, const char *variable);

/*
 * Puts a directive before a statement, or before a construct's directive. A stand-alone one
 * (barrier) needs a statement of a block; others may be the body of an `if`.
 */
void lint_fix_before(struct lint_unit *unit, struct lint_fixes *fixes, const struct tree *node,
    const char *directive, bool alone);

/*
 * Makes each access of the event's variable inside the construct an atomic update; refuses unless
 * all of them are updates that may be atomic.
 */
void lint_fix_updates(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct model_function *function, const struct tree_construct *construct,
    const struct model_event *event);

/* Is the node a whole statement? */
bool lint_is_statement(const struct tree *node);

/* Does the function change the variable inside the construct? */
bool lint_changes_inside(const struct model_function *function,
    const struct tree_construct *construct, const struct tree_variable *variable);

#endif
