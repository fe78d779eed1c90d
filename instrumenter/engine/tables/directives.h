/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each OpenMP directive means to the instrumenter. All knowledge about directives is in the
 * one table behind these functions, which is generated from the list of constructs that all rooms
 * share. A combined directive is a sequence of rows.
 */
#ifndef DIRECTIVES_H
#define DIRECTIVES_H

#include "arena.h"
#include "engine.h"

#include "shared/constructs.h"

/* What follows a directive's line and belongs to it. */
enum directive_body {
	BODY_NONE,          /* stand-alone, or declarative */
	BODY_BLOCK,         /* one statement; it may be put in braces */
	BODY_LOOP,          /* a loop nest, directly after the directive */
	BODY_LOOP_SEQUENCE, /* a block of loop nests that the directive turns into one */
	BODY_SECTIONS,      /* a block of sections */
	BODY_SECTION,       /* statements up to the next `section` or the end of the sections */
	BODY_DECLARATION,   /* the function that follows */
};

/* Where threads wait for each other at the end of the construct. */
enum directive_wait {
	WAIT_NEVER,
	WAIT_UNLESS_NOWAIT, /* implicit barrier that `nowait` removes: made explicit */
	WAIT_INSIDE, /* implicit barrier that cannot be removed; an explicit one precedes it */
};

/* The calls that receive the handle that `enter` returns. */
enum { HANDLE_BEGIN = 1, HANDLE_END = 2, HANDLE_EXIT = 4 };

/*
 * The groups that --disable can name, as bits: the id of a group's first construct, and two groups
 * that are not directives.
 */
enum { GROUP_LOCK = CONSTRUCT_COUNT, GROUP_REGION, GROUP_COUNT };

#define DIRECTIVE_GROUP(bit) ((inst_groups)1 << (bit))

struct directive {
	enum construct_id id;
	const char *name;
	uint64_t
	    followers; /* directive_bit() of the directives that may follow it in a combination */
	enum directive_body body;
	enum directive_wait wait;
	bool owns_data; /* a default clause on it applies to variables */
	/* The calls without the prefix pomp_, NULL for none; see pomp.h for enter and begin. */
	const char *enter, *begin, *end, *exit;
	inst_groups group;    /* its group for --disable, 0 if there are no calls */
	const char *handle;   /* name of the variable for enter's result, or NULL */
	unsigned handle_uses; /* HANDLE_ bits */
	const char *passed;   /* no calls: the reason why it is passed through */
	const char *inside;   /* the reason why everything inside is passed through, too */
};

enum { MAX_LEAVES = 8 };

/* A directive in a text: its rows from outermost to innermost, and the text after its name. */
struct directive_use {
	const struct directive *leaves[MAX_LEAVES];
	const char *written[MAX_LEAVES]; /* the user's own words for each leaf */
	size_t leaf_count;               /* 0: unknown directive */
	const char *name;    /* normalised; the first word if the directive is unknown */
	const char *clauses; /* the rest of the line */
};

struct directive_use directive_read(struct inst_arena *arena, const char *words);

/* The directive's bit in sets; 0 if sets cannot contain it. */
static inline uint64_t directive_bit(const struct directive *directive)
{
	return directive->id < 64 ? UINT64_C(1) << directive->id : 0;
}

/* Is it the full name of a function that instrumented code calls for some directive? */
bool directive_calls(const char *function);

/* The row of a directive. */
const struct directive *directive_of(enum construct_id id);

/* Is this construct among the leaves? */
bool directive_has(const struct directive_use *use, enum construct_id id);

/* Is this construct the only leaf? */
bool directive_is(const struct directive_use *use, enum construct_id id);

/* The outermost leaf that has all its calls around it; NULL if there is none. */
const struct directive *directive_around(const struct directive_use *use);

#endif
