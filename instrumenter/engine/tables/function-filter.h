/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which of the user's functions are instrumented: a filter file in Score-P's syntax, so that
 * existing files keep working. The last rule that matches a function counts; a function that no
 * rule matches is included.
 *
 *     SCOREP_FILE_NAMES_BEGIN            # by the file a function is in
 *       EXCLUDE * INCLUDE src/?*.c
 *     SCOREP_FILE_NAMES_END
 *     SCOREP_REGION_NAMES_BEGIN          # by name: N::C::f, or N::C::f(int)
 *       EXCLUDE tiny helper_*
 *       INCLUDE MANGLED _Z11helper_maini
 *     SCOREP_REGION_NAMES_END
 *
 * `*`, `?` and `[]` match as in a shell, except that `*` also matches slashes; `\` makes the next
 * character literal.
 */
#ifndef FILTER_H
#define FILTER_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>

struct filter_rule {
	bool of_files; /* of files; else of names */
	bool includes, mangled;
	const char *pattern;
};

struct filter {
	struct filter_rule *rules;
	size_t count, room;
	const char *error; /* what is wrong with the text, or NULL */
	int error_line;
};

/* Reads a filter file's text, up to the first error. */
struct filter filter_read(struct inst_arena *arena, const char *text);

bool filter_takes_file(const struct filter *filter, const char *file);

/* A rule may match any of the three names. */
bool filter_takes_function(
    const struct filter *filter, const char *name, const char *signature, const char *mangled);

#endif
