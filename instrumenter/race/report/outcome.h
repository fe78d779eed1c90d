/* SPDX-License-Identifier: BSD-3-Clause */
/* All that runs have shown, explained and judged. */
#ifndef RACE_OUTCOME_H
#define RACE_OUTCOME_H

#include "standing.h"

struct race_outcome {
	struct race_findings findings;
	struct race_words *words; /* one per finding */
	struct race_deadlocks deadlocks;
	struct race_deadlock_words *deadlock_words; /* one per deadlock */
};

/* The sources' arena owns the result. */
void race_outcome_make(struct race_sources *sources, struct race_code *code,
    const struct race_reports *reports, const struct race_triage *triage,
    struct race_outcome *outcome);

/* Is there a race or a deadlock that counts? */
bool race_outcome_counts(const struct race_outcome *outcome);

#endif
