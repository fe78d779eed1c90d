/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings of `ompinst lint` for a file that is compiled: -Wopenmp. */
#ifndef OPENMP_WARNINGS_H
#define OPENMP_WARNINGS_H

#include "child-process.h"
#include "lint.h"

/* Checks the preprocessed text, and prints what is found; a failure to do so is a warning, too. */
void openmp_warnings_print(struct process_watch *watch, const struct inst_input *input,
    lint_set checks, const char *record_path);

#endif
