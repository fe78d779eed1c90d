/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which of the user's functions are instrumented: a filter file in Score-P's syntax, so that the
 * files people have go on working. Rules apply in their order, the last that matches counts, and
 * what no rule names is included.
 *
 *     SCOREP_FILE_NAMES_BEGIN            # by the file a function is in
 *       EXCLUDE * INCLUDE src/?*.c
 *     SCOREP_FILE_NAMES_END
 *     SCOREP_REGION_NAMES_BEGIN          # by name: N::C::f, or N::C::f(int)
 *       EXCLUDE tiny helper_*
 *       INCLUDE MANGLED _Z11helper_maini
 *     SCOREP_REGION_NAMES_END
 *
 * `*`, `?` and `[]` as a shell has them (`*` takes in slashes); `\` takes a character's meaning
 * away.
 */
#ifndef FILTER_H
#define FILTER_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>

struct filter_rule {
	bool of_files; /* else of names */
	bool includes, mangled;
	const char *pattern;
};

struct filter {
	struct filter_rule *rules;
	size_t count, room;
	const char *error; /* what is wrong with the text, NULL for nothing */
	int error_line;
};

/* Reads a filter file's text; whatever stands behind an error is not read. */
struct filter filter_read(struct inst_arena *arena, const char *text);

bool filter_takes_file(const struct filter *filter, const char *file);

/* Any of the three names can be what a rule means. */
bool filter_takes_function(
    const struct filter *filter, const char *name, const char *signature, const char *mangled);

#endif
