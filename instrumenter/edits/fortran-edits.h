/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes of Fortran's directives, in free and fixed form. */
#ifndef FORTRAN_EDITS_H
#define FORTRAN_EDITS_H

#include "lint.h"
#include "patch.h"

/* Is it a Fortran file by its name? *fixed: in fixed form. */
bool fortran_edit_is_for(const char *name, bool *fixed);

/*
 * Makes the edit of the change; false if the file has other words there. A clause that makes the
 * directive longer than the form allows (132 or 72 columns) goes to a continuation line.
 */
bool fortran_edit_make(
    const struct text_file *file, bool fixed, const struct lint_fix *fix, struct patch_edit *edit);

#endif
