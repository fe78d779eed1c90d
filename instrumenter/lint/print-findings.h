/* SPDX-License-Identifier: BSD-3-Clause */
/* The forms in which findings are printed. */
#ifndef LINT_PRINT_FINDINGS_H
#define LINT_PRINT_FINDINGS_H

#include "findings.h"
#include "lint-options.h"

#include <stdio.h>

/* Errors of the parser are printed only as text: see findings_print_errors(). */
void findings_print(
    FILE *out, const struct findings *findings, const struct patch *patch, enum lint_format format);

/* Prints the parser's errors as a compiler would. */
void findings_print_errors(FILE *out, const struct findings *findings);

#endif
