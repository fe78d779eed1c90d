/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The data-sharing attributes of variables in constructs (OpenMP 5.2, 5.1): predetermined,
 * explicit, and implicit ones.
 */
#ifndef MODEL_SHARING_H
#define MODEL_SHARING_H

#include "tree.h"

enum model_attribute {
	ATTRIBUTE_UNKNOWN, /* the text does not determine it */
	ATTRIBUTE_SHARED,
	ATTRIBUTE_PRIVATE,
	ATTRIBUTE_FIRSTPRIVATE,
	ATTRIBUTE_LASTPRIVATE,
	ATTRIBUTE_LINEAR,
	ATTRIBUTE_REDUCTION,
	ATTRIBUTE_THREADPRIVATE,
};

/* The reason for an attribute. */
enum model_rule {
	RULE_NONE,           /* no construct around it decides: it belongs to the function */
	RULE_CLAUSE,         /* a clause of `by` lists it */
	RULE_DEFAULT_CLAUSE, /* the default clause of `by` */
	RULE_DEFAULT,        /* neither: shared in `parallel` and `teams`, firstprivate in tasks */
	RULE_INSIDE,         /* declared inside `by` */
	RULE_LOOP,           /* the variable of a loop associated with `by` */
	RULE_STATIC,         /* static storage */
	RULE_DIRECTIVE,      /* a threadprivate directive, or thread_local */
	RULE_DEVICE,         /* a copy for the device's region */
};

struct model_sharing {
	enum model_attribute attribute;
	enum model_rule rule;
	const struct tree_construct *by; /* NULL if the rule needs none */
};

/*
 * The attribute of the variable inside the construct; for NULL, in the function outside all
 * constructs.
 */
struct model_sharing model_sharing_of(
    const struct tree_construct *construct, const struct tree_variable *variable);

/* Does a clause of that name list the variable, perhaps as an array section? */
bool model_clause_lists(
    const struct tree_construct *construct, const char *clause, const char *variable);

/* Does any clause of the construct name the variable, in a list or in an expression? */
bool model_clauses_mention(const struct tree_construct *construct, const char *variable);

#endif
