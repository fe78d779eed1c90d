/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands in front of a variable's name where it is declared. */
#ifndef MODEL_DECLARED_TYPE_H
#define MODEL_DECLARED_TYPE_H

#include "tree.h"

struct model_declaration {
	const char *type; /* "unsigned long"; NULL: no words alone */
	size_t begin;     /* of the type's first word */
	bool is_static;
	bool is_first; /* the first variable of the declaration */
};

/* Reads `static unsigned x`, also the x of `static unsigned a = 1, x`. */
struct model_declaration model_declaration_of(
    struct tree_unit *unit, const struct tree_variable *variable);

#endif
