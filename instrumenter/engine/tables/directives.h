/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each OpenMP directive means to the rewriter. All knowledge of directives is in the one table
 * behind these functions; a combined directive is a sequence of rows.
 */
#ifndef DIRECTIVES_H
#define DIRECTIVES_H

#include "arena.h"
#include "engine.h"

/* What belongs to a directive, behind its line. */
enum directive_body {
	BODY_NONE,          /* stand-alone, or declarative */
	BODY_BLOCK,         /* one statement; it may be put in braces */
	BODY_LOOP,          /* a loop nest; nothing may stand between it and the directive */
	BODY_LOOP_SEQUENCE, /* a block of loop nests, which a directive before it takes for one */
	BODY_SECTIONS,      /* a block of sections */
	BODY_SECTION,       /* statements up to the next `section` or the end of the sections */
	BODY_DECLARATION,   /* the function that follows */
};

/* Where threads wait for each other at the end. */
enum directive_wait {
	WAIT_NEVER,
	WAIT_UNLESS_NOWAIT, /* implicit barrier that `nowait` removes: it is made explicit */
	WAIT_INSIDE,        /* implicit barrier nothing removes: an explicit one goes before it */
};

/* Which calls receive the handle that the `enter` call returned. */
enum { HANDLE_BEGIN = 1, HANDLE_END = 2, HANDLE_EXIT = 4 };

struct directive {
	const char *name;
	const char *followers; /* directives that may be combined behind this one */
	enum directive_body body;
	enum directive_wait wait;
	/* The calls without their pomp_ prefix, NULL for none; see pomp.h for enter and begin. */
	const char *enter, *begin, *end, *exit;
	const char *group;    /* name for --disable, NULL when there are no calls */
	const char *handle;   /* name of the variable that enter's result goes to, or NULL */
	unsigned handle_uses; /* HANDLE_ bits */
	const char *passed;   /* no calls: why it is passed through */
	const char *inside;   /* what lies inside is passed through as well, for this reason */
};

enum { MAX_LEAVES = 8 };

/* A directive as used: its rows from the outermost to the innermost, and what follows its name. */
struct directive_use {
	const struct directive *leaves[MAX_LEAVES];
	size_t leaf_count;   /* 0: no such directive */
	const char *name;    /* normalised; the first word when there is no such directive */
	const char *clauses; /* the rest of the line */
};

struct directive_use directive_read(struct inst_arena *arena, const char *words);

/* Is `name` among the leaves? */
bool directive_has(const struct directive_use *use, const char *name);

/* The outermost leaf whose calls all stand around it; NULL for none. */
const struct directive *directive_around(const struct directive_use *use);

/* inst_find_group() of a whole string. */
inst_groups directive_group(const char *name);

#endif
