/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What `ompreport whatif` predicts for schedules of single loops, from the trace of one run, and
 * which of them are worth trying. What taking chunks costs is part of the work that the trace
 * shows: where it matters, a loop has limits and no gain. Other settings have no prediction: a
 * trace of one run does not show what other numbers of threads do to each other in caches and
 * memory.
 */
#ifndef PREDICTED_GAINS_H
#define PREDICTED_GAINS_H

#include "tuned-settings.h"

/* Adds the option of ompreport for each schedule of a loop. Returns how many there are. */
size_t predicted_gains_ask(const struct tuned_settings *settings, struct words *options);

/* Reads the answer in JSON, and notes the prediction of each setting that has one. */
void predicted_gains_read(struct tuned_settings *settings, const char *json, size_t length);

/*
 * Of each loop with predictions, keeps the three schedules with the largest predicted gains, of
 * those whose gain is predicted to be below `least` (0.03 for 3 %) only the best of the loop, and
 * of those that nine of ten predictions keep below it none. A sentence says how many are left out.
 */
void predicted_gains_choose(struct tuned_settings *settings, double least);

#endif
