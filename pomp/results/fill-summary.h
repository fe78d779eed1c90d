/* SPDX-License-Identifier: BSD-3-Clause */
/* The results as a summary. */
#ifndef FILL_SUMMARY_H
#define FILL_SUMMARY_H

#include "common/summary.h"
#include "process-usage.h"
#include "shared/clock.h"

#include <stdbool.h>

struct pomp_locks;
struct pomp_metrics;
struct pomp_regions;
struct pomp_threads;

/* What was measured until the clock's end: of this process, or a copy of a running one's. */
struct pomp_measured {
	struct pomp_clock clock;
	const struct pomp_threads *threads;
	const struct pomp_regions *regions;
	const struct pomp_locks *locks;
	const struct pomp_metrics *metrics;
	uint64_t most_threads; /* in one team */
	struct pomp_process_usage usage;
	bool usage_refused; /* by the kernel, to threads */
};

/*
 * Fills in the summary after measuring has stopped. The strings belong to the regions;
 * pomp_release_summary() frees the rest. Returns false when memory ran out; the summary then has a
 * note.
 */
extern const char pomp_nothing_executed[]; /* a note: other ranks may have executed something */
bool pomp_fill_summary(struct summary *summary);

/* The same for anything measured; the costs of events and page faults are not measured then. */
bool pomp_fill_summary_of(struct summary *summary, const struct pomp_measured *measured);
void pomp_release_summary(struct summary *summary);

#endif
