/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles and checks copies of the user's files with the edits of their findings. */
#ifndef LINT_VERIFICATION_H
#define LINT_VERIFICATION_H

#include "lint-command.h"

/* Checks the words of the command line with this run. */
typedef void lint_check_words(struct lint_run *run, const char *const *words);

/*
 * Tries the remedies that are offered, and offers those no longer with which the files do not
 * compile, the finding stays or a new one appears; says so on standard error. The patch then has
 * the edits of those that are left.
 */
void lint_verify(
    struct lint_run *run, struct patch *patch, lint_check_words *check, const char *const *words);

#endif
