/* SPDX-License-Identifier: BSD-3-Clause */
/* The schedule of a loop, changed in the source text. */
#ifndef SCHEDULE_EDIT_H
#define SCHEDULE_EDIT_H

#include "common/patch-edits.h"

/*
 * Makes the edit by which the directive at the line (C and C++) has schedule(dynamic,4). Returns
 * NULL, or why the text does not decide: *edit is then empty. The caller frees edit->text.
 */
const char *schedule_edit_make(
    const char *bytes, size_t length, int line, const char *schedule, struct patch_edit *edit);

#endif
