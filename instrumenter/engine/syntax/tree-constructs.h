/* SPDX-License-Identifier: BSD-3-Clause */
/* The directives of a text as nodes of its tree. */
#ifndef TREE_CONSTRUCTS_H
#define TREE_CONSTRUCTS_H

#include "tree.h"

/* A new node of the arena, without a parent. */
struct tree *tree_new(struct tree_unit *unit, enum tree_kind kind, size_t begin, size_t end);

/* Appends `child` to the children of `parent`. */
void tree_add(struct tree_unit *unit, struct tree *parent, struct tree *child);

/* The `sections` pragma of a construct whose block is read next, or NULL. */
const struct inst_pragma *tree_sections_of(const struct tree *waiting);

/*
 * Where the statements of a list go: into the list itself, or into the constructs that are open in
 * it.
 */
struct tree_place {
	struct tree *list;                  /* of statements */
	struct tree *waiting;               /* a construct without a body so far, or NULL */
	struct tree *section;               /* the block of an open `section`, or NULL */
	const struct inst_pragma *sections; /* the `sections` whose body is this list, or NULL */
};

/* The directives of the text that are not in the tree yet. */
struct tree_pragmas {
	struct tree_unit *unit;
	size_t next; /* index in the scan */
};

/* Puts the directives before `offset` into the list. */
void tree_place_directives(struct tree_pragmas *pragmas, struct tree_place *place, size_t offset);

/* Puts a statement into the list, after its directives. */
void tree_place_statement(
    struct tree_pragmas *pragmas, struct tree_place *place, struct tree *statement);

#endif
