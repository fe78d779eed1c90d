/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the user's own command in place of one that cannot be instrumented. */
#ifndef FALLBACK_H
#define FALLBACK_H

#include "compiler-run.h"

/*
 * Called after the original compiled: reports why `file` is not instrumented, and `report` about
 * its constructs; NULL means nothing to report. Returns the exit code, which is 1 with --strict.
 */
int fallback_report(
    const struct wrapper *wrapper, const char *file, const char *reason, const char *report);

/* Removes an output that was made without instrumentation; called for --strict. */
void fallback_discard(const struct wrapper *wrapper, const char *output);

/* Runs the whole original command because something failed for `reason`; returns its exit code. */
int fallback_run(struct wrapper *wrapper, const char *file, const char *reason);

/*
 * Called last: reports inputs in languages that ompinst does not instrument, all on one line.
 * Returns the exit code.
 */
int fallback_report_languages(const struct wrapper *wrapper);

#endif
