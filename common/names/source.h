/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenMP directives in a source file of C, C++ or Fortran. */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct directive {
	int begin, end;     /* lines, including continuation lines */
	char *text;         /* from the directive's name on, in one line, with single blanks */
	size_t name_length; /* of the name before the clauses: "parallel for" */
	int statement;      /* the line of the code that follows; 0: none, or unknown */
};

/* The directives in one file, ascending by line; directives that end a construct are left out. */
struct source {
	char *path;
	bool is_read;       /* the file could be read */
	int64_t changed_at; /* seconds since 1970 */
	struct directive *directives;
	size_t count, room;
};

/* Reads a file; a file that cannot be read has no directives. */
void names_source_read(struct source *source, const char *path);
void names_source_free(struct source *source);

/*
 * Returns whether the directive has that construct: "for" is in "parallel for" and in Fortran's
 * "do".
 */
bool names_directive_has(const struct directive *directive, const char *construct);

/* Returns the name of a critical, in the parentheses after it (heap), or NULL. */
char *names_directive_critical_name(const struct directive *directive);

#endif
