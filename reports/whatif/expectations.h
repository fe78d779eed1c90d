/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Predicts what the changes in a summary's advice would gain, with one replay for each. Only for
 * runs whose recording is small, so that reports stay fast.
 */
#ifndef EXPECTATIONS_H
#define EXPECTATIONS_H

#include "recorder.h"

struct expectations;

/*
 * Prepares the choice of the analysis; NULL if the archive announces too many events or locations.
 */
struct expectations *expectations_new(
    const struct archive *archive, struct analysis_choice *choice);

/* After the analysis: from now on that analysis's summary asks for expectations. */
void expectations_offer(
    struct expectations *expectations, const struct analysis *analysis, struct summary *summary);

/* The summary must not ask for expectations any more. Does nothing for NULL. */
void expectations_free(struct expectations *expectations);

#endif
