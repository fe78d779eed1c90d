/* SPDX-License-Identifier: BSD-3-Clause */
/* Races that the text of a compiled file shows: the warnings of `ompinst lint` about races. */
#ifndef RACE_WARNINGS_H
#define RACE_WARNINGS_H

#include "compiler-command.h"
#include "compiler.h"
#include "lint-options.h"

/*
 * Prints on standard error the findings in the C and C++ files that the command compiles with
 * -fopenmp. Skips a file that cannot be checked. Returns nothing: the compiler decides whether the
 * build continues.
 */
void race_warnings_print(
    const struct compiler *compiler, const struct command *command, lint_set checks);

#endif
