/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Findings that one remedy fixes: a variable that is missing in one clause is one cause, at however
 * many pairs of places it shows.
 */
#ifndef RACE_CAUSES_H
#define RACE_CAUSES_H

#include "deadlock-words.h"
#include "explanation.h"

/*
 * Gives findings with the same remedy for the same variable in the same construct the same cause,
 * the index of the first of them. Where a baseline has one of them, it has all: they are further
 * places of a known race.
 */
void race_group(
    struct inst_arena *arena, const struct race_words *words, struct race_findings *findings);

/* Cycles of the same locks have one cause: the locks have no order. */
void race_group_deadlocks(
    const struct race_deadlock_words *words, struct race_deadlocks *deadlocks);

/* The number of causes of the findings with this standing. */
size_t race_cause_count(const struct race_findings *findings, enum race_standing standing);
size_t race_deadlock_count(const struct race_deadlocks *deadlocks, enum race_standing standing);

/* The number of source places of the findings that count. */
size_t race_place_count(const struct race_findings *findings, const struct race_words *words);

#endif
