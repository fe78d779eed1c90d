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

/* Gives a critical construct another name. */
void lint_fix_name(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct tree_construct *critical, const char *name);

/* Puts another directive in the place of this one and its clauses. */
void lint_fix_replace(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct tree_construct *construct, const char *directive);

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

/* A change of statements at an offset of the text, with the words there that identify it. */
void lint_fix_words(struct lint_unit *unit, struct lint_fixes *fixes, enum lint_change change,
    size_t offset, const char *at, const char *text);

/* Adds the text to each of the elements of the array in the node's line. */
void lint_fix_elements(struct lint_unit *unit, struct lint_fixes *fixes, const struct tree *node,
    const char *array, const char *text, int count);

/* Refuses if the user's file has the word another number of times between two offsets. */
void lint_fix_count(struct lint_unit *unit, struct lint_fixes *fixes, size_t begin, size_t end,
    const char *word, size_t count);

/*
 * Refuses if the user's file has no such words at the node, or if they may be left out of the
 * program while the rest of the function is not.
 */
void lint_fix_keep(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct model_function *function, const struct tree *node, const char *at);

/* Moves a stand-alone directive behind the statement, which ends with a brace. */
void lint_fix_move(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct model_function *function, const struct tree_construct *construct,
    const struct tree *behind);

/* Two statements of one block, in the text's order, and the barriers of the region around them. */
struct lint_order {
	const struct tree *block; /* NULL: no block has both */
	const struct tree *first, *then;
	bool between; /* a barrier comes between the two */
	bool again;   /* and before the first in the next iteration of a loop around both */
};

/* The order of two nodes; waits: constructs that wait, beside the ends of worksharing ones. */
struct lint_order lint_order_of(const struct tree_construct *region, const struct tree *first,
    const struct tree *then, uint64_t waits);

/* The statement of the block in which the node is. */
const struct tree *lint_statement_in(const struct tree *block, const struct tree *node);

/*
 * Is the construct the only part of its region that uses the event's variable at that time? If not,
 * what orders the accesses inside of it is not enough.
 */
bool lint_is_alone(struct lint_unit *unit, const struct model_function *function,
    const struct tree_construct *construct, const struct model_event *event);

/*
 * Makes each access of the event's variable inside the construct an atomic update; refuses unless
 * all of them are updates that may be atomic.
 */
void lint_fix_updates(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct model_function *function, const struct tree_construct *construct,
    const struct model_event *event);

/*
 * The statement by which the event updates its variable and that may be atomic: x op= e, x++ (C++
 * may define both for a class). NULL if it is none. *operation: operations with the same letter may
 * be executed in any order.
 */
struct tree *lint_update_form(
    const struct lint_unit *unit, const struct model_event *event, char *operation);

/* May an atomic region be here? Not where iterations or lanes of this construct are concurrent. */
bool lint_allows_atomic(const struct tree_construct *construct);

/* The task only reads the variable: it gets the value that it has now, as with one thread. */
void lint_fix_by_copy(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct model_function *function, const struct tree_construct *task,
    const struct tree_variable *variable);

/* A taskwait before the statement of the access, in the block that generates the task. */
void lint_fix_by_wait(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct tree_construct *task, const struct model_event *later);

/*
 * A construct without a barrier at its end gets one: it loses nowait, or a barrier goes before the
 * next statement, if that is one of the region's own.
 */
void lint_fix_end(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct tree_construct *construct, const struct tree_construct *region);

/* Is the node a whole statement? */
bool lint_is_statement(const struct tree *node);

/* Is it a block with braces? The bodies of branches and loops are blocks in any case. */
bool lint_has_braces(const struct lint_unit *unit, const struct tree *block);

/* Does the function change the variable inside the construct? */
bool lint_changes_inside(const struct model_function *function,
    const struct tree_construct *construct, const struct tree_variable *variable);

/*
 * Puts the statements that access the event's array into the order of the iterations: an `ordered`
 * region around the only one, or else a doacross dependence of each iteration on the one so many
 * iterations before it. Refuses unless all accesses of the array are statements of the loop's body
 * itself, and each iteration comes to its end.
 */
void lint_fix_by_order(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct model_function *function, const struct tree_construct *construct,
    const struct model_event *event, long long distance);

#endif
