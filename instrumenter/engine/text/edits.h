/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes to a text, collected in any order and applied all at once. Inserted code may contain
 * directive lines; line markers keep the lines and columns of the user's text.
 */
#ifndef EDITS_H
#define EDITS_H

#include "arena.h"
#include "engine.h"
#include "pragma-scan.h"

/* The order of edits at one offset. */
enum edit_kind {
	EDIT_PREAMBLE, /* declarations; their lines belong to no user file */
	EDIT_CLOSE,    /* ends something: the highest order comes first */
	EDIT_FUNCTION, /* begins the region of a function */
	EDIT_OPEN,     /* begins something: the lowest order comes first */
	EDIT_REPLACE,  /* replaces a pragma */
	EDIT_WORD,     /* replaces an identifier */
};

struct edit {
	enum edit_kind kind;
	size_t begin, end;
	size_t order;
	const char *code; /* lines, without a newline at the end; those with `#` are directives */
	size_t anchor;    /* INST_SOURCE: the line at this offset shows the indentation */
};

struct edit_list {
	struct edit *edits;
	size_t count, room;
};

void edit_add(struct inst_arena *arena, struct edit_list *list, struct edit edit);

/* Writes the edited text to `out`. Returns NULL, or an error if edits overlap. */
const char *edits_apply(const struct inst_input *input, const struct inst_scan *scan,
    struct edit_list *list, struct inst_buffer *out);

#endif
