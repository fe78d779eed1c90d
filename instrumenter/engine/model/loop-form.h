/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops in OpenMP's canonical form (5.2, 4.4.1). */
#ifndef MODEL_LOOP_FORM_H
#define MODEL_LOOP_FORM_H

#include "tree.h"

/* A `for` statement, as far as it is in canonical form. */
struct model_loop {
	struct tree *node;
	struct tree_variable *variable; /* NULL: not a canonical loop */
	struct tree *first, *bound;     /* NULL if absent */
	const char *relation; /* "<", "<=", ">", ">=", "!=" with the variable on the left */
	long long step;       /* 0: not a constant */
};

enum { MODEL_MOST_LOOPS = 7 };

struct model_loop model_read_loop(struct tree *node);

/* Constructs with associated loops. */
#define MODEL_LOOP_CONSTRUCTS                                                                      \
	(CONSTRUCT_BIT(FOR) | CONSTRUCT_BIT(SIMD) | CONSTRUCT_BIT(DISTRIBUTE) |                    \
	    CONSTRUCT_BIT(TASKLOOP) | CONSTRUCT_BIT(LOOP))

/*
 * Fills the loops that are associated with the construct, outermost first, at most
 * MODEL_MOST_LOOPS, and returns how many there are.
 */
size_t model_associated_loops(const struct tree_construct *construct, struct model_loop *loops);

/* The value of an integer expression that contains only numbers; false for any other. */
bool model_constant(const struct tree *expression, long long *value);

/* How often the loop's body is executed; -1 if that is not a constant. */
long long model_trip_count(const struct model_loop *loop);

#endif
