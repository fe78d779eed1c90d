/* SPDX-License-Identifier: BSD-3-Clause */
/* The results as a summary. */
#ifndef FILL_SUMMARY_H
#define FILL_SUMMARY_H

#include "common/summary.h"

#include <stdbool.h>

/*
 * Fills in the summary after measuring has stopped. The strings belong to the regions;
 * pomp_release_summary() frees the rest. Returns false when memory ran out; the summary then has a
 * note.
 */
extern const char pomp_nothing_executed[]; /* a note: other ranks may have executed something */
bool pomp_fill_summary(struct summary *summary);
void pomp_release_summary(struct summary *summary);

#endif
