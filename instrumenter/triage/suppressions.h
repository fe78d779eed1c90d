/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Suppression files of ThreadSanitizer: lines "KIND:PATTERN", and comments that begin with '#'. A
 * pattern is a part of a name; '*' stands for any text, '^' at the front and '$' at the end for the
 * ends of the name.
 */
#ifndef TRIAGE_SUPPRESSIONS_H
#define TRIAGE_SUPPRESSIONS_H

#include <stdbool.h>
#include <stddef.h>

enum suppression_kind {
	SUPPRESSES_RACE,     /* a name of any level of one of the stacks, or of the variable */
	SUPPRESSES_RACE_TOP, /* a name of the innermost level */
	SUPPRESSES_LIBRARY,  /* the file that calls a function of the C library */
	SUPPRESSES_DEADLOCK, /* a name of any level of one of the stacks of a deadlock */
	SUPPRESSES_OTHERS,   /* reports of other kinds */
};

struct suppression {
	enum suppression_kind kind;
	char *text;    /* the line */
	char *pattern; /* as fnmatch() takes it */
	int line;
};

struct suppressions {
	const char *path; /* as the user wrote it; NULL: none */
	struct suppression *all;
	size_t count, capacity;
};

/* False with *error (heap, or NULL if memory ran out); the list is then empty. */
bool suppressions_read(const char *path, struct suppressions *suppressions, char **error);

/* Does the pattern fit the name? NULL and "" fit none. */
bool suppression_fits(const struct suppression *suppression, const char *name);

void suppressions_finish(struct suppressions *suppressions);

#endif
