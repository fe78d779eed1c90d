/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each OpenMP directive means to the rewriter. All knowledge of directives is in the one table
 * behind these functions, which is made from the list of constructs that all rooms share; a
 * combined directive is a sequence of rows.
 */
#ifndef DIRECTIVES_H
#define DIRECTIVES_H

#include "arena.h"
#include "engine.h"

#include "shared/constructs.h"

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

/* What --disable can name, as bits: the id of the first construct of a group, and two that are no
 * directives. */
enum { GROUP_LOCK = CONSTRUCT_COUNT, GROUP_REGION, GROUP_COUNT };

#define DIRECTIVE_GROUP(bit) ((inst_groups)1 << (bit))

struct directive {
	enum construct_id id;
	const char *name;
	uint64_t followers; /* directive_bit() of those that may be combined behind this one */
	enum directive_body body;
	enum directive_wait wait;
	bool owns_data; /* a default clause on it applies to variables */
	/* The calls without their pomp_ prefix, NULL for none; see pomp.h for enter and begin. */
	const char *enter, *begin, *end, *exit;
	inst_groups group;    /* its group for --disable, 0 when there are no calls */
	const char *handle;   /* name of the variable that enter's result goes to, or NULL */
	unsigned handle_uses; /* HANDLE_ bits */
	const char *passed;   /* no calls: why it is passed through */
	const char *inside;   /* what lies inside is passed through as well, for this reason */
};

enum { MAX_LEAVES = 8 };

/* A directive as used: its rows from the outermost to the innermost, and what follows its name. */
struct directive_use {
	const struct directive *leaves[MAX_LEAVES];
	const char *written[MAX_LEAVES]; /* the words that each was found by: the user's own */
	size_t leaf_count;               /* 0: no such directive */
	const char *name;    /* normalised; the first word when there is no such directive */
	const char *clauses; /* the rest of the line */
};

struct directive_use directive_read(struct inst_arena *arena, const char *words);

/* Its bit in sets of directives; 0 of one that is in none. */
static inline uint64_t directive_bit(const struct directive *directive)
{
	return directive->id < 64 ? UINT64_C(1) << directive->id : 0;
}

/* Is it a function, by its whole name, that instrumented code calls for some directive? */
bool directive_calls(const char *function);

/* The row of a directive. */
const struct directive *directive_of(enum construct_id id);

/* Is it among the leaves? */
bool directive_has(const struct directive_use *use, enum construct_id id);

/* Is it the only leaf? */
bool directive_is(const struct directive_use *use, enum construct_id id);

/* The outermost leaf whose calls all stand around it; NULL for none. */
const struct directive *directive_around(const struct directive_use *use);

#endif
