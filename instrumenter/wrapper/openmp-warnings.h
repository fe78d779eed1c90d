/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the warnings of `ompinst lint` for a file that is compiled: -Wopenmp. */
#ifndef OPENMP_WARNINGS_H
#define OPENMP_WARNINGS_H

#include "child-process.h"
#include "lint.h"

/* Checks the preprocessed text and prints the findings; if the check fails, prints a warning. */
void openmp_warnings_print(struct process_watch *watch, const struct inst_input *input,
    lint_set checks, const char *record_path);

#endif
