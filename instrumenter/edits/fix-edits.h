/* SPDX-License-Identifier: BSD-3-Clause */
/* The changes of a finding's remedy as edits of the user's files. */
#ifndef FIX_EDITS_H
#define FIX_EDITS_H

#include "lint.h"
#include "patch.h"

/*
 * Finds what the change names in the user's file, and makes the edit of file *number. False if the
 * file has other words there (a macro, an attribute, `_Pragma`), or has them twice: *edit is then
 * empty. The caller frees edit->text.
 */
bool fix_edit_make(
    struct patch *patch, const struct lint_fix *fix, size_t *number, struct patch_edit *edit);

/* A clause with one value: "schedule" with "dynamic,4", "num_threads" with "2". */
struct valued_clause {
	const char *construct; /* the directive must have this word: "for", "parallel" */
	const char *name, *value;
};

/*
 * Makes the edit with which the directive at the file's line, of a loop or a region, has the clause
 * with this value. Returns NULL, or why the text cannot be edited safely: *edit is then empty. The
 * caller frees edit->text.
 */
const char *fix_edit_clause(struct patch *patch, const char *file, int line,
    const struct valued_clause *clause, size_t *number, struct patch_edit *edit);

/*
 * The same for the number in a taskloop's clause grainsize or num_tasks, or at the end of a task's
 * clause final, else if. The grain is a number, or *N or /N: the number as written multiplied or
 * divided.
 */
const char *fix_edit_grain(struct patch *patch, const char *file, int line, const char *grain,
    size_t *number, struct patch_edit *edit);

#endif
