/* SPDX-License-Identifier: BSD-3-Clause */
/* Under which conditions, and under which protection, a node of the tree is executed. */
#ifndef MODEL_ENCLOSING_CONSTRUCTS_H
#define MODEL_ENCLOSING_CONSTRUCTS_H

#include "variable-uses.h"
#include "sharing.h"

/*
 * May only some threads or iterations of the construct execute the node? True if a condition in
 * between depends on the thread's number, the loop's variable or a private integer, or tests a lock
 * or an atomic. Nothing is then known about other threads.
 */
bool model_is_selected(
    struct model_function *function, const struct tree *node, const struct tree_construct *upto);

/* Does the value of the expression depend on the thread's number? */
bool model_is_of_thread(const struct model_function *function, const struct tree *expression);

/* Between it and `upto`, is it in a branch, or in the body of a loop that may not be executed? */
bool model_is_conditional(const struct tree *node, const struct tree *upto);

/* Is the first always executed before the second, in text order? Both are in the same function. */
bool model_precedes(const struct tree *first, const struct tree *then);

/* Constructs that one thread at a time executes. */
#define MODEL_EXCLUSIVE                                                                            \
	(CONSTRUCT_BIT(CRITICAL) | CONSTRUCT_BIT(ATOMIC) | CONSTRUCT_BIT(ORDERED) |                \
	    CONSTRUCT_BIT(SINGLE) | CONSTRUCT_BIT(MASTER) | CONSTRUCT_BIT(MASKED) |                \
	    CONSTRUCT_BIT(SECTION))

/* Does `inner`, or a construct between it and `outer`, have one of these leaves? */
bool model_has_between(
    const struct tree_construct *inner, const struct tree_construct *outer, uint64_t leaves);

/* Does a call before the node, inside the construct, look as if it sets a lock? */
bool model_is_locked(const struct tree *node, const struct tree_construct *construct);

/*
 * Judging by the name of the routine or of an argument: does the call set or unset a lock? The call
 * must have a name.
 */
bool model_is_about_lock(const struct tree *call);

/* Is it a region that only one thread executes: num_threads(1), if(0)? */
bool model_is_serial(const struct tree_construct *construct);

/*
 * Calls the function for the node and everything below it, in text order, until it returns false.
 */
bool model_visit(struct tree *node, bool (*visit)(struct tree *node, void *context), void *context);

/* Does the text of the two expressions consist of the same tokens? */
bool model_same_text(
    const struct tree_unit *unit, const struct tree *one, const struct tree *other);

/* The expression's text on one line. */
const char *model_text(struct tree_unit *unit, const struct tree *node);

#endif
