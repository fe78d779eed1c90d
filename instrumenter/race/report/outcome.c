/* SPDX-License-Identifier: BSD-3-Clause */
/* From the logs of all runs to what is reported. Nothing is printed here. */
#include "outcome.h"

#include "causes.h"

void race_outcome_make(struct race_sources *sources, struct race_code *code,
    const struct race_reports *reports, const struct race_triage *triage,
    struct race_outcome *outcome)
{
	struct inst_arena *arena = sources->arena;
	struct race_findings *findings = &outcome->findings;
	struct race_deadlocks *deadlocks = &outcome->deadlocks;

	race_findings_make(sources, code, reports, &triage->suppressions, findings);
	race_deadlocks_make(arena, code, reports, &triage->suppressions, deadlocks);
	outcome->words = arena_allocate(arena, (findings->count + 1) * sizeof *outcome->words);
	outcome->deadlock_words =
	    arena_allocate(arena, (deadlocks->count + 1) * sizeof *outcome->deadlock_words);
	for (size_t i = 0; i < findings->count; i++)
		outcome->words[i] = race_explain(sources, &findings->items[i]);
	for (size_t i = 0; i < deadlocks->count; i++)
		outcome->deadlock_words[i] = race_explain_deadlock(sources, &deadlocks->items[i]);
	race_judge(sources, triage, outcome->words, findings);
	race_judge_deadlocks(sources, triage, outcome->deadlock_words, deadlocks);
}

bool race_outcome_counts(const struct race_outcome *outcome)
{
	return race_standing_count(&outcome->findings, RACE_COUNTS) > 0 ||
	       race_deadlock_count(&outcome->deadlocks, RACE_COUNTS) > 0;
}
