/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The source text around an access: its line, the OpenMP constructs around it, and the expression
 * that is accessed. C and C++ are read by tokens, Fortran by lines; neither is preprocessed, so
 * that a construct that a macro makes is not seen. All memory is the arena's.
 */
#ifndef RACE_SOURCE_H
#define RACE_SOURCE_H

#include "arena.h"
#include "clauses.h"
#include "directives.h"

#include <stdbool.h>

/* A directive with what belongs to it. */
struct race_construct {
	struct directive_use use; /* Fortran's do is a for */
	const char *name;         /* as the source has it: "parallel do" */
	struct clause_list clauses;
	int line;       /* of the directive */
	int begin, end; /* lines of the construct, the directive's too; end < begin: stand-alone */
	int parent;     /* index of the construct around it in the same file, or -1 */
};

struct race_text {
	const char *path;
	bool is_there;             /* the file could be read */
	bool is_changed;           /* ... but is younger than the program */
	bool is_fortran, is_fixed; /* fixed: columns have meanings */
	const char **lines;        /* without their ends */
	const char **code;         /* the same with blanks for comments and quoted texts */
	int line_count;
	struct race_construct *constructs; /* by line */
	int construct_count;
	size_t construct_room;
};

/* The files that were asked for. */
struct race_sources {
	struct inst_arena *arena;
	struct race_text **texts;
	size_t count, room;
};

/* Never NULL; a file that cannot be read has neither lines nor constructs. */
const struct race_text *race_source_text(struct race_sources *sources, const char *path);

/* The line without blanks around it; "" for one that is not there. */
const char *race_source_line(struct race_sources *sources, const struct race_text *text, int line);

/* Where in its line's code a statement is. */
struct race_range {
	size_t begin, end;
};

/* The statement at a column of a line that the text has; 0: the first one. */
struct race_range race_source_range(const struct race_text *text, int line, int column);

/* The statement at a column of the line, as code, without blanks around it; "" for none. */
const char *race_source_statement(
    struct race_sources *sources, const struct race_text *text, int line, int column);

/* Index of the innermost construct around the line, or -1. */
int race_source_construct(const struct race_text *text, int line);

/* Has the construct this leaf, as `for` in `parallel for`? */
bool race_construct_has(const struct race_construct *construct, enum construct_id id);

/*
 * The expression that is read or written at a column of a line: "x[i + 1]", "p->n"; NULL where it
 * cannot be found. Compilers give the column of an operator or of the expression itself. hint: the
 * variable's name, where it is known, or NULL.
 */
const char *race_source_expression(struct race_sources *sources, const struct race_text *text,
    int line, int column, bool writes, const char *hint);

/* The expression by which the statement at the column reads the variable; NULL: it does not. */
const char *race_source_read(struct race_sources *sources, const struct race_text *text, int line,
    int column, const char *name);

/*
 * The variable of the simd loop whose directive is at the line: where the loop does not declare it,
 * it gets its last value there. NULL: it is another construct, or one with clauses by which what is
 * written there may be something else.
 */
const char *race_source_simd_variable(
    struct race_sources *sources, const struct race_text *text, int line);

/* The variable at the front of an expression: "x" of "x[i + 1]". */
const char *race_expression_base(struct inst_arena *arena, const char *expression);

/*
 * The expression without what is in its brackets and without blanks: "p[].x" of "p[i + 1].x".
 * keeps_constants: numbers in brackets stay.
 */
const char *race_expression_shape(
    struct inst_arena *arena, const char *expression, bool keeps_constants);

/* Fills the text's code from its lines. */
void race_mask_comments(struct inst_arena *arena, struct race_text *text);

/* Filled by the languages' readers. */
void race_c_constructs(
    struct inst_arena *arena, struct race_text *text, const char *bytes, size_t length);
void race_fortran_constructs(struct inst_arena *arena, struct race_text *text);

/* Adds one; `words` are the directive's, in C's names and lower case where it is Fortran's. */
struct race_construct *race_construct_add(
    struct inst_arena *arena, struct race_text *text, const char *words, int line);

#endif
