/* SPDX-License-Identifier: BSD-3-Clause */
/* The races that the text of a compiled file shows: the warnings of `ompinst lint` about them. */
#ifndef RACE_WARNINGS_H
#define RACE_WARNINGS_H

#include "command.h"
#include "compiler.h"
#include "lint-options.h"

/*
 * Prints on standard error what the checks find in the C and C++ files that the command compiles
 * with -fopenmp. A file that cannot be checked is passed over. Returns nothing: whether the build
 * goes on is the compiler's to decide.
 */
void race_warnings_print(
    const struct compiler *compiler, const struct command *command, lint_set checks);

#endif
