/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages for the user: warnings, errors, the list of constructs and the totals of --verbose. */
#ifndef CONSTRUCT_REPORT_H
#define CONSTRUCT_REPORT_H

#include "options.h"
#include "engine-process.h"

/*
 * The report on the constructs of one input (heap; NULL: nothing to report). By default it is one
 * line, and only if something was skipped. With --verbose it has a line for each construct that was
 * not instrumented, then the totals. With --strict, skipped constructs are errors. *skipped is
 * their number.
 */
char *report_constructs(const struct options *options, const char *input,
    const struct engine_result *result, size_t *skipped);

/* Writes a finished text to stderr; does nothing for NULL. */
void report_text(const char *text);

/* Prints every construct on stdout in the form of options->list. */
void report_list(const struct options *options, const struct engine_result *result);

/* "FILE: warning: TEXT" or, without a file, "ompinst: warning: TEXT", on stderr. */
void report_warning(const char *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void report_error(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
/*
 * Prints "ompinst: error: cannot run 'PROGRAM': TEXT" for the errno of exec. A program is given by
 * its path.
 */
void report_not_run(const char *program, int problem);
void report_note(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
