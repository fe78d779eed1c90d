/* SPDX-License-Identifier: BSD-3-Clause */
/* Used by both languages' readers: turns a directive's words into a construct of the text. */
#include "race-source.h"

struct race_construct *race_construct_add(
    struct inst_arena *arena, struct race_text *text, const char *words, int line)
{
	struct race_construct *construct =
	    ARENA_ADD(arena, text->constructs, text->construct_count, text->construct_room);
	*construct = (struct race_construct){.use = directive_read(arena, words),
	    .line = line,
	    .begin = line,
	    .end = line - 1,
	    .parent = -1};
	construct->name = construct->use.name;
	if (construct->use.leaf_count > 0)
		construct->clauses = clauses_read(arena, construct->use.clauses);
	return construct;
}

bool race_construct_has(const struct race_construct *construct, enum construct_id id)
{
	return construct != NULL && directive_has(&construct->use, id);
}
