/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the changes of a patch to the user's files, and says so. */
#ifndef LINT_PATCHED_FILES_H
#define LINT_PATCHED_FILES_H

#include "patch.h"

/* Writes each file with edits and names it on standard error; false if one is left as it is. */
bool patched_files_write(const struct patch *patch);

#endif
