/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes to a text, collected in any order and applied at once. Code that is put in may hold
 * directive lines; what the user wrote keeps its lines and columns through line markers.
 */
#ifndef EDITS_H
#define EDITS_H

#include "arena.h"
#include "engine.h"
#include "scan.h"

/* At one offset, in this order. */
enum edit_kind {
	EDIT_PREAMBLE, /* declarations; their lines belong to no file of the user's */
	EDIT_CLOSE,    /* ends something: of several, the one with the highest order first */
	EDIT_FUNCTION, /* begins the region of a function */
	EDIT_OPEN,     /* begins something: the lowest order first */
	EDIT_REPLACE,  /* takes a pragma's place */
	EDIT_WORD,     /* takes an identifier's place */
};

struct edit {
	enum edit_kind kind;
	size_t begin, end;
	size_t order;
	const char *code; /* lines, without a newline at the end; those with `#` are directives */
	size_t anchor;    /* INST_SOURCE: the line here shows how to indent them */
};

struct edit_list {
	struct edit *edits;
	size_t count, room;
};

void edit_add(struct inst_arena *arena, struct edit_list *list, struct edit edit);

/* Writes the edited text to `out`. Edits must not overlap: NULL, or that they do. */
const char *edits_apply(const struct inst_input *input, const struct inst_scan *scan,
    struct edit_list *list, struct inst_buffer *out);

#endif
