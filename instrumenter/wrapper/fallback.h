/* SPDX-License-Identifier: BSD-3-Clause */
/* The user's own command in place of what cannot be instrumented. */
#ifndef FALLBACK_H
#define FALLBACK_H

#include "compiler-run.h"

/*
 * After the original compiled: reports why `file` is not instrumented, and `report` about its
 * constructs; each may be NULL for nothing. Returns the exit code, which --strict makes 1.
 */
int fallback_report(
    const struct wrapper *wrapper, const char *file, const char *reason, const char *report);

/* Removes what was made without instrumentation, which --strict does not let stay. */
void fallback_discard(const struct wrapper *wrapper, const char *output);

/* Runs the whole original command in place of something that failed for reason; returns its code.
 */
int fallback_run(struct wrapper *wrapper, const char *file, const char *reason);

/*
 * After all: inputs of languages that ompinst does not instrument, in one line for all of them.
 * Returns the exit code.
 */
int fallback_report_languages(const struct wrapper *wrapper);

#endif
