/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The source text around an access: its line, the OpenMP constructs around it, and the accessed
 * expression. C and C++ are read by tokens, Fortran by lines. The text is not preprocessed, so
 * constructs that macros generate are not seen. The arena owns all memory.
 */
#ifndef RACE_SOURCE_H
#define RACE_SOURCE_H

#include "arena.h"
#include "clauses.h"
#include "directives.h"

#include <stdbool.h>

/* A directive and its construct. */
struct race_construct {
	struct directive_use use; /* Fortran's do counts as for */
	const char *name;         /* as in the source: "parallel do" */
	struct clause_list clauses;
	int line; /* of the directive */
	int begin,
	    end;    /* lines of the construct, including the directive; end < begin: stand-alone */
	int parent; /* index of the construct around it in the same file, or -1 */
};

struct race_text {
	const char *path;
	bool is_there;             /* the file could be read */
	bool is_changed;           /* ... but is newer than the program */
	bool is_fortran, is_fixed; /* fixed: columns matter */
	const char **lines;        /* without line ends */
	const char **code;         /* the same, with blanks in place of comments and quoted texts */
	int line_count;
	struct race_construct *constructs; /* by line */
	int construct_count;
	size_t construct_room;
};

/* The files that have been requested. */
struct race_sources {
	struct inst_arena *arena;
	struct race_text **texts;
	size_t count, room;
};

/* Never NULL; a file that cannot be read has neither lines nor constructs. */
const struct race_text *race_source_text(struct race_sources *sources, const char *path);

/* The line without leading and trailing blanks; "" if it does not exist. */
const char *race_source_line(struct race_sources *sources, const struct race_text *text, int line);

/* The place of a statement in its line's code. */
struct race_range {
	size_t begin, end;
};

/* The statement at a column of an existing line; column 0: the first statement. */
struct race_range race_source_range(const struct race_text *text, int line, int column);

/* The statement at a column of the line, as code without blanks around it; "" if there is none. */
const char *race_source_statement(
    struct race_sources *sources, const struct race_text *text, int line, int column);

/* Index of the innermost construct around the line, or -1. */
int race_source_construct(const struct race_text *text, int line);

/* Does the construct have this leaf, as `for` in `parallel for`? */
bool race_construct_has(const struct race_construct *construct, enum construct_id id);

/*
 * The expression that is read or written at a column of a line: "x[i + 1]", "p->n"; NULL if it
 * cannot be found. Compilers give the column of an operator or of the expression itself. hint: the
 * variable's name if known, or NULL.
 */
const char *race_source_expression(struct race_sources *sources, const struct race_text *text,
    int line, int column, bool writes, const char *hint);

/* The expression with which the statement at the column reads the variable; NULL if it does not. */
const char *race_source_read(struct race_sources *sources, const struct race_text *text, int line,
    int column, const char *name);

/*
 * The loop variable of the simd loop whose directive is on the line. If the loop does not declare
 * the variable, it gets its last value there. NULL for any other construct, and for a loop with
 * clauses that may cause other writes there.
 */
const char *race_source_simd_variable(
    struct race_sources *sources, const struct race_text *text, int line);

/* The variable with which an expression begins: "x" of "x[i + 1]". */
const char *race_expression_base(struct inst_arena *arena, const char *expression);

/*
 * The expression without blanks and without the contents of its brackets: "p[].x" of "p[i + 1].x".
 * keeps_constants: numbers in brackets stay.
 */
const char *race_expression_shape(
    struct inst_arena *arena, const char *expression, bool keeps_constants);

/* Fills the text's `code` from its lines. */
void race_mask_comments(struct inst_arena *arena, struct race_text *text);

/* The languages' readers, which fill the constructs. */
void race_c_constructs(
    struct inst_arena *arena, struct race_text *text, const char *bytes, size_t length);
void race_fortran_constructs(struct inst_arena *arena, struct race_text *text);

/* Adds a construct; `words` are the directive's, in C's names and in lower case for Fortran. */
struct race_construct *race_construct_add(
    struct inst_arena *arena, struct race_text *text, const char *words, int line);

#endif
