/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What libclang knows about a text: the statement behind each pragma, which names are references to
 * lock routines, and the functions.
 */
#ifndef STATEMENTS_H
#define STATEMENTS_H

#include "arena.h"
#include "engine.h"
#include "lock-names.h"
#include "scan.h"

/* What libclang has at a pragma. */
struct located {
	bool found;       /* a statement or declaration begins at the pragma's `next` */
	bool loop;        /* it is a for loop (also C++'s range-for) */
	bool in_argument; /* INST_SOURCE: it stands in a macro's argument */
	size_t end;       /* behind its last token; an expression's `;` does not belong to it */
	bool in_block; /* the pragma is directly in a compound statement (or behind a label in one)
			*/
	/* The innermost compound statement that contains the pragma. */
	size_t block_begin, block_end;
	bool block_of_function, block_of_switch;
	bool in_function;     /* it is in the body of one */
	const char *function; /* the innermost named function it is in; "" for none */
	const char *members; /* of the class whose member function that is, ", " before each name */
	bool in_inline;      /* ... and that is an inline function which is not static */
};

/* A function that the text defines. */
struct function_body {
	size_t begin;          /* its declaration's first token */
	size_t body, end;      /* the brace that opens its body; behind the one that closes it */
	const char *name;      /* N::C::f */
	const char *signature; /* N::C::f(int) */
	const char *mangled;
	bool in_inline; /* an inline function that is not static */
};

struct location_result {
	struct located *located; /* one per pragma of the scan */
	struct lock_name *locks; /* every token with a lock routine's name, ascending */
	size_t lock_count;
	/* Where a declaration that names the lock routines' types can go, at file scope. */
	size_t lock_declaration;         /* 0: nowhere */
	struct function_body *functions; /* ascending by body; none unless they are asked for */
	size_t function_count, function_room;
	size_t *errors; /* where the text is wrong for libclang, ascending */
	size_t error_count;
	/* INST_SOURCE: names at file scope that the program and pomp.h both use */
	const char **names;
	size_t name_count, name_room;
	const char *error; /* libclang could not parse at all, NULL when it could */
};

/* Is something in [begin, end) wrong for libclang? Statements may be missing in its tree then. */
bool holds_error(const struct location_result *result, size_t begin, size_t end);

struct location_result locate_statements(struct inst_arena *arena, const struct inst_input *input,
    const struct inst_scan *scan, bool functions);

#endif
