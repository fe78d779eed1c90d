/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a place in a program's files is in the source: function, file, line and column of code, the
 * names of variables. It comes from the files' symbols and their debug information, which may be in
 * a file of its own, or at a server that DEBUGINFOD_URLS names. All texts are the arena's.
 */
#ifndef RACE_CODE_H
#define RACE_CODE_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct race_code;

/* Never NULL; race_code_free() closes the files that it keeps open. */
struct race_code *race_code_new(struct inst_arena *arena);
void race_code_free(struct race_code *code);

struct race_line {
	const char *function; /* the user's, around an outlined one; NULL: unknown */
	const char *file;     /* NULL: unknown */
	int line, column;     /* 0: unknown */
};

/* The line of an instruction; false with what is known, where that is no line. */
bool race_code_line(
    struct race_code *code, const char *module, uint64_t offset, struct race_line *line);

/*
 * The same with the functions into which that one was inlined: the first line is the instruction's,
 * each further one is where the function before it is called. Returns how many there are, at most
 * `most`; 0: no line is known.
 */
size_t race_code_lines(struct race_code *code, const char *module, uint64_t offset,
    struct race_line *lines, size_t most);

/* The symbol of the function at an address, or NULL. */
const char *race_code_symbol(struct race_code *code, const char *module, uint64_t offset);

struct race_variable {
	const char *name;  /* with element and members as far as they are known: "grid[3].mass" */
	const char *whole; /* without them */
	const char *block; /* Fortran's common block that it is in, or NULL */
	const char *file;  /* where it is declared, or NULL */
	int line;
};

/* The variable of static storage at an address; false where none is known. */
bool race_code_variable(
    struct race_code *code, const char *module, uint64_t offset, struct race_variable *variable);

/* The source files that the module was compiled from, NULL behind the last; NULL: unknown. */
const char *const *race_code_files(struct race_code *code, const char *module);

/* Has the module debug information? */
bool race_code_has_lines(struct race_code *code, const char *module);

#endif
