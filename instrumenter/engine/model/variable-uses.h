/* SPDX-License-Identifier: BSD-3-Clause */
/* Which variables a function reads and writes, in the order in which they are evaluated. */
#ifndef MODEL_VARIABLE_USES_H
#define MODEL_VARIABLE_USES_H

#include "tree.h"

enum event_kind {
	EVENT_READ = 1,
	EVENT_WRITE = 2,
	EVENT_ADDRESS = 4, /* its address is taken: later accesses are unknown */
	EVENT_DECLARE = 8, /* with EVENT_WRITE: the declaration itself writes */
};

/* One use of a variable. */
struct model_event {
	unsigned kind; /* several bits for `x += 1` */
	struct tree_variable *variable;
	struct tree *name;   /* the node that names the variable */
	struct tree *object; /* what is read or written: x, or a[i].y with the variable a */
	bool element;        /* object is not the variable itself */
	struct tree_construct *construct; /* the innermost around it, or NULL */
};

struct model_function {
	const struct tree_function *function;
	struct model_event *events;
	size_t count, room;
	bool jumps;     /* it contains labels that a goto can reach */
	unsigned visit; /* number of the most recent search through calls that came here */
};

/*
 * The events of one function. For a lambda inside, each variable that it names gets an
 * EVENT_ADDRESS.
 */
struct model_function model_read_function(
    struct tree_unit *unit, const struct tree_function *function);

/* The innermost construct around the node within its function, or NULL. */
struct tree_construct *model_construct_around(const struct tree *node);

/* The variable at the root of a[i].x, p->y or *p; NULL if another expression is there. */
struct tree *model_root(struct tree *object);

/* Is the event inside the node? */
static inline bool event_is_in(const struct model_event *event, const struct tree *node)
{
	return tree_holds(node, event->name);
}

#endif
