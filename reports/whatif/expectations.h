/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the changes that a summary's advice proposes would bring, by a replay of each. For runs of
 * which a recording is small, so that reports stay quick.
 */
#ifndef EXPECTATIONS_H
#define EXPECTATIONS_H

#include "recorder.h"

struct expectations;

/* NULL where the archive announces too much. For the analysis that it chooses. */
struct expectations *expectations_new(
    const struct archive *archive, struct analysis_choice *choice);

/* After the analysis: the summary, which is of that analysis, asks for expectations from now on. */
void expectations_offer(
    struct expectations *expectations, const struct analysis *analysis, struct summary *summary);

/* The summary has no expectations any more. NULL: does nothing. */
void expectations_free(struct expectations *expectations);

#endif
