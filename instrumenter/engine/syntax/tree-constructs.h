/* SPDX-License-Identifier: BSD-3-Clause */
/* The directives of a text as nodes of its tree. */
#ifndef TREE_CONSTRUCTS_H
#define TREE_CONSTRUCTS_H

#include "tree.h"

/* A node of the arena; `parent` may be NULL. */
struct tree *tree_new(struct tree_unit *unit, enum tree_kind kind, size_t begin, size_t end);

/* Appends a node to another one's children. */
void tree_add(struct tree_unit *unit, struct tree *parent, struct tree *child);

/* A construct's `sections` whose block comes next, or NULL. */
const struct inst_pragma *tree_sections_of(const struct tree *waiting);

/* Where the statements of a list go: into it, or into the constructs that are open in it. */
struct tree_place {
	struct tree *list;                  /* of statements */
	struct tree *waiting;               /* a construct that has no body yet, or NULL */
	struct tree *section;               /* the block of a `section` that is open, or NULL */
	const struct inst_pragma *sections; /* the list is the body of this `sections`, or NULL */
};

/* Directives of the text that are not in the tree yet, and the construct that is being read. */
struct tree_pragmas {
	struct tree_unit *unit;
	size_t next; /* index in the scan */
};

/* Puts the directives in front of `offset` into the list. */
void tree_place_directives(struct tree_pragmas *pragmas, struct tree_place *place, size_t offset);

/* Puts a statement into the list, behind its directives. */
void tree_place_statement(
    struct tree_pragmas *pragmas, struct tree_place *place, struct tree *statement);

/* The node that a statement at this place will be a child of, its directives being placed. */
struct tree *tree_place_parent(const struct tree_place *place);

#endif
