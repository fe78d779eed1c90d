/* SPDX-License-Identifier: BSD-3-Clause */
/* Which variables a function reads and writes, in the order in which they are evaluated. */
#ifndef MODEL_EVENTS_H
#define MODEL_EVENTS_H

#include "tree.h"

enum event_kind {
	EVENT_READ = 1,
	EVENT_WRITE = 2,
	EVENT_ADDRESS = 4, /* its address is taken: what happens then is not known */
	EVENT_DECLARE = 8, /* with EVENT_WRITE: by the declaration itself */
};

/* One use of a variable. */
struct model_event {
	unsigned kind; /* several for `x += 1` */
	struct tree_variable *variable;
	struct tree *name;   /* where the variable stands */
	struct tree *object; /* what is read or written: x, or a[i].y with the variable a */
	bool element;        /* object is not the variable itself */
	struct tree_construct *construct; /* the innermost around it, or NULL */
};

struct model_function {
	const struct tree_function *function;
	struct model_event *events;
	size_t count, room;
	bool jumps;     /* it has labels that a goto can go to */
	unsigned visit; /* of a search through calls: the last that came here */
};

/* The events of one function; a lambda inside counts as EVENT_ADDRESS of what it names. */
struct model_function model_read_function(
    struct tree_unit *unit, const struct tree_function *function);

/* The innermost construct around the node within its function, or NULL. */
struct tree_construct *model_construct_around(const struct tree *node);

/* The variable at the bottom of a[i].x, p->y or *p: NULL where another expression is. */
struct tree *model_root(struct tree *object);

/* Does the event come from inside of the node? */
static inline bool event_is_in(const struct model_event *event, const struct tree *node)
{
	return tree_holds(node, event->name);
}

#endif
