/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What libclang finds in a text: the statement after each pragma, the names that refer to lock
 * routines, and the functions.
 */
#ifndef STATEMENTS_H
#define STATEMENTS_H

#include "arena.h"
#include "engine.h"
#include "lock-names.h"
#include "pragma-scan.h"

/* What libclang finds at a pragma. */
struct located {
	bool found;       /* a statement or declaration begins at the pragma's `next` */
	bool loop;        /* it is a for loop (also C++'s range-for) */
	bool in_argument; /* INST_SOURCE: it is in a macro's argument */
	size_t end;       /* after its last token; the `;` of an expression is not included */
	bool in_block;    /* directly in a compound statement, perhaps after a label */
	/* The innermost compound statement that contains the pragma. */
	size_t block_begin, block_end;
	bool block_of_function, block_of_switch;
	bool in_function;     /* it is in a function body */
	const char *function; /* the innermost named function around it; "" if none */
	const char *members;  /* of that member function's class, ", " before each name */
	bool in_inline;       /* ... and the function is inline and not static */
};

/* A function that the text defines. */
struct function_body {
	size_t begin;          /* its declaration's first token */
	size_t body, end;      /* its opening brace; after its closing brace */
	const char *name;      /* N::C::f */
	const char *signature; /* N::C::f(int) */
	const char *mangled;
	bool in_inline; /* an inline function that is not static */
};

struct location_result {
	struct located *located; /* one per pragma of the scan */
	struct lock_name *locks; /* every token with a lock routine's name, in order */
	size_t lock_count;
	/* Where a declaration with the types of the lock routines can be added, at file scope. */
	size_t lock_declaration;         /* 0: nowhere */
	struct function_body *functions; /* ascending by body; none unless requested */
	size_t function_count, function_room;
	size_t *errors; /* where libclang reports errors, ascending */
	size_t error_count;
	/* INST_SOURCE: names at file scope that the program and pomp.h both use */
	const char **names;
	size_t name_count, name_room;
	const char *error; /* NULL, or why libclang could not parse at all */
};

/* Does libclang report an error in [begin, end)? Its tree may then lack statements. */
bool holds_error(const struct location_result *result, size_t begin, size_t end);

struct location_result locate_statements(struct inst_arena *arena, const struct inst_input *input,
    const struct inst_scan *scan, bool functions);

#endif
