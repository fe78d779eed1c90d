/* SPDX-License-Identifier: BSD-3-Clause */
/* The state while one text is checked, and how checks report. */
#ifndef LINT_UNIT_H
#define LINT_UNIT_H

#include "enclosing-constructs.h"
#include "variable-uses.h"
#include "lint.h"
#include "loop-form.h"
#include "sharing.h"
#include "tree.h"

struct lint_unit {
	struct tree_unit tree;
	struct model_function *functions; /* in the order of tree.functions */
	lint_set enabled;
	unsigned visit; /* number of the most recent search through calls */
	struct lint_finding *findings;
	size_t count, room;
};

/* The changes of one remedy, by the functions of fixes.h. */
struct lint_fixes {
	struct lint_fix *all;
	size_t count, room;
	bool refused; /* a change is not possible, so there are none */
};

/*
 * Where the note of a message points: to a directive's line, or to a place in the text. Both NULL:
 * no note.
 */
struct lint_remedy {
	const struct tree_construct *directive;
	const struct tree *node;
	const char *text;
	struct lint_fixes fixes;
};

/* Reports a finding at a node. A second finding of the same check at the same place is dropped. */
void lint_report(struct lint_unit *unit, enum lint_check check, const struct tree *node,
    const char *message, struct lint_remedy remedy);

/* Reports a finding at a directive's line. */
void lint_report_directive(struct lint_unit *unit, enum lint_check check,
    const struct tree_construct *construct, const char *message, struct lint_remedy remedy);

/* Formats a text in the unit's memory. */
const char *lint_text(struct lint_unit *unit, const char *format, ...)
    __attribute__((__format__(__printf__, 2, 3)));

/* The line of a node in its file. */
int lint_line(const struct lint_unit *unit, const struct tree *node);

/* "the loop's" or "the region's": the owner of the threads that execute a construct. */
const char *lint_owner(const struct tree_construct *construct);

/* The calls with names in a function's body, in text order; not those of lambdas. */
struct lint_calls {
	struct inst_arena *arena;
	struct tree **all;
	size_t count, room;
};

struct lint_calls lint_collect_calls(struct lint_unit *unit, const struct model_function *function);

/* The unit's function whose tree_function has this offset; NULL if there is none. */
struct model_function *lint_find_function(struct lint_unit *unit, size_t offset);

/*
 * The innermost construct with one of the leaves, from this one outwards (itself included); or
 * NULL.
 */
const struct tree_construct *lint_around(const struct tree_construct *construct, uint64_t leaves);

/* The argument of a critical construct; "" without one. */
const char *lint_critical_name(const struct tree_construct *construct);

/* Has a run shown that the event, or another on its line, races? */
bool lint_is_witnessed(const struct lint_unit *unit, const struct model_event *event);

/* Is the event one of the race's two accesses, as far as its line and variable show? */
bool lint_is_side(const struct lint_unit *unit, const struct model_event *event,
    const struct lint_witness *witness, int side);

/* Is there a jump in the node, which may leave it or an iteration of a loop in it? */
bool lint_has_jump(struct tree *node);

/* Does the variable belong to the function that contains this lambda? */
bool lint_is_captured(const struct model_function *function, const struct tree_variable *variable);

#define LINT_WORKSHARING                                                                           \
	(CONSTRUCT_BIT(FOR) | CONSTRUCT_BIT(SECTIONS) | CONSTRUCT_BIT(SINGLE) |                    \
	    CONSTRUCT_BIT(SCOPE) | CONSTRUCT_BIT(LOOP))
#define LINT_SHARED_LOOPS                                                                          \
	(CONSTRUCT_BIT(FOR) | CONSTRUCT_BIT(DISTRIBUTE) | CONSTRUCT_BIT(TASKLOOP) |                \
	    CONSTRUCT_BIT(LOOP))
#define LINT_TASKS (CONSTRUCT_BIT(TASK) | CONSTRUCT_BIT(TASKLOOP))

#endif
