/* SPDX-License-Identifier: BSD-3-Clause */
/* What the user reads: warnings, the list of constructs and the closing line of --verbose. */
#ifndef REPORT_H
#define REPORT_H

#include "options.h"
#include "engine-process.h"

/*
 * What there is to say about the constructs of one input (heap; NULL: nothing): by default one
 * line, and only when something was skipped; with --verbose a line for each that was not
 * instrumented, then the totals; with --strict skipped ones are errors. *skipped is their number.
 */
char *report_constructs(const struct options *options, const char *input,
    const struct rewrite *rewrite, size_t *skipped);

/* Writes a finished text to stderr; NULL is nothing. */
void report_text(const char *text);

/* Prints every construct on stdout, as options->list asks. */
void report_list(const struct options *options, const struct rewrite *rewrite);

/* "FILE: warning: TEXT" or, without a file, "ompinst: warning: TEXT", on stderr. */
void report_warning(const char *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void report_error(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
