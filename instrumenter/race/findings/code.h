/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds what a place in a program's files is in the source: function, file, line and column of
 * code, and the names of variables. The information comes from the files' symbols and debug
 * information, which may be in a separate file or on a server in DEBUGINFOD_URLS. The arena owns
 * all texts.
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
	const char *function; /* the user's function, also for outlined code; NULL: unknown */
	const char *file;     /* NULL: unknown */
	int line, column;     /* 0: unknown */
};

/*
 * The line of an instruction, and the functions into which its code was inlined: each further line
 * is where the previous function is called. Returns how many lines there are, at most `most`; 0 if
 * no line is known.
 */
size_t race_code_lines(struct race_code *code, const char *module, uint64_t offset,
    struct race_line *lines, size_t most);

/* The symbol of the function at an address, or NULL. */
const char *race_code_symbol(struct race_code *code, const char *module, uint64_t offset);

struct race_variable {
	const char *name;  /* with element and members as far as known: "grid[3].mass" */
	const char *whole; /* without element and members */
	const char *block; /* the Fortran common block that contains it, or NULL */
	const char *file;  /* where it is declared, or NULL */
	int line;
};

/* The static variable at an address; false if none is known. */
bool race_code_variable(
    struct race_code *code, const char *module, uint64_t offset, struct race_variable *variable);

/* The source files of the module, NULL after the last; NULL: unknown. */
const char *const *race_code_files(struct race_code *code, const char *module);

/* Has the module debug information? */
bool race_code_has_lines(struct race_code *code, const char *module);

#endif
