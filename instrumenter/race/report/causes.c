/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares remedies as text. Only those of one construct are compared, because some texts name no
 * place.
 */
#include "causes.h"

#include <string.h>

static const char *variable_of(
    struct inst_arena *arena, const struct race_finding *finding, const struct race_words *words)
{
	return words->expression[0] != NULL ? race_expression_base(arena, words->expression[0])
					    : finding->variable.whole;
}

static bool is_further_place(enum race_standing one, enum race_standing other)
{
	return one == other || (one == RACE_COUNTS && other == RACE_KNOWN) ||
	       (one == RACE_KNOWN && other == RACE_COUNTS);
}

static bool have_one_cause(struct inst_arena *arena, const struct race_words *words,
    const struct race_findings *findings, size_t one, size_t other)
{
	const struct race_words *left = &words[one], *right = &words[other];

	if (left->relation.at[0].unit == NULL ||
	    left->relation.at[0].unit != right->relation.at[0].unit || left->remedy_count == 0 ||
	    right->remedy_count == 0 || strcmp(left->remedies[0], right->remedies[0]) != 0 ||
	    !is_further_place(
		findings->items[one].verdict.standing, findings->items[other].verdict.standing))
		return false;
	const char *name = variable_of(arena, &findings->items[one], left);
	const char *also = variable_of(arena, &findings->items[other], right);
	return name != NULL && also != NULL && strcmp(name, also) == 0;
}

/* What a baseline has of a cause, it has of all its places. */
static void spread_known(struct race_findings *findings, size_t first)
{
	struct race_finding *known = NULL;

	for (size_t i = first; i < findings->count && known == NULL; i++)
		if (findings->items[i].cause == first &&
		    findings->items[i].verdict.standing == RACE_KNOWN)
			known = &findings->items[i];
	for (size_t i = first; i < findings->count && known != NULL; i++)
		if (findings->items[i].cause == first) {
			findings->items[i].verdict.standing = known->verdict.standing;
			findings->items[i].verdict.reason = known->verdict.reason;
			findings->items[i].verdict.in_baseline = true;
		}
}

void race_group(
    struct inst_arena *arena, const struct race_words *words, struct race_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		size_t first = 0;
		while (first < i && (findings->items[first].cause != first ||
					!have_one_cause(arena, words, findings, first, i)))
			first++;
		findings->items[i].cause = first;
	}
	for (size_t i = 0; i < findings->count; i++)
		if (findings->items[i].cause == i)
			spread_known(findings, i);
}

size_t race_cause_count(const struct race_findings *findings, enum race_standing standing)
{
	size_t count = 0;

	for (size_t i = 0; i < findings->count; i++)
		count += findings->items[i].verdict.standing == standing &&
			 findings->items[i].cause == i;
	return count;
}

/* Is the lock one of the deadlock's, and has it a name that says which one it is? */
static bool has_lock(
    const struct race_deadlock *deadlock, const struct race_deadlock_words *words, const char *name)
{
	for (size_t i = 0; i < deadlock->count; i++) {
		const struct race_lock_object *lock = &deadlock->steps[i].wanted;
		if (strcmp(words->steps[i].wanted, name) == 0)
			return lock->variable.name != NULL || lock->critical != NULL;
	}
	return false;
}

static bool has_locks_of(const struct race_deadlock *deadlock,
    const struct race_deadlock_words *words, const struct race_deadlock *other,
    const struct race_deadlock_words *others)
{
	bool all = true;

	for (size_t i = 0; i < other->count && all; i++)
		all = has_lock(deadlock, words, others->steps[i].wanted);
	return all;
}

static bool have_same_locks(const struct race_deadlock_words *words,
    const struct race_deadlocks *deadlocks, size_t one, size_t other)
{
	const struct race_deadlock *left = &deadlocks->items[one],
				   *right = &deadlocks->items[other];

	return words[one].rule == words[other].rule &&
	       left->verdict.standing == right->verdict.standing &&
	       has_locks_of(left, &words[one], right, &words[other]) &&
	       has_locks_of(right, &words[other], left, &words[one]);
}

void race_group_deadlocks(const struct race_deadlock_words *words, struct race_deadlocks *deadlocks)
{
	for (size_t i = 0; i < deadlocks->count; i++) {
		size_t first = 0;
		while (first < i && (deadlocks->items[first].cause != first ||
					!have_same_locks(words, deadlocks, first, i)))
			first++;
		deadlocks->items[i].cause = first;
	}
}

size_t race_deadlock_count(const struct race_deadlocks *deadlocks, enum race_standing standing)
{
	size_t count = 0;

	for (size_t i = 0; i < deadlocks->count; i++)
		count += deadlocks->items[i].verdict.standing == standing &&
			 deadlocks->items[i].cause == i;
	return count;
}

/* Is the place one of an earlier finding, or of the earlier side of this one? */
static bool is_earlier(
    const struct race_findings *findings, const struct race_words *words, size_t index, int side)
{
	for (size_t i = 0; i <= index; i++)
		for (int j = 0; j < 2 && (i < index || j < side); j++)
			if (findings->items[i].verdict.standing == RACE_COUNTS &&
			    strcmp(words[i].place[j], words[index].place[side]) == 0)
				return true;
	return false;
}

size_t race_place_count(const struct race_findings *findings, const struct race_words *words)
{
	size_t count = 0;

	for (size_t i = 0; i < findings->count; i++)
		for (int side = 0; side < 2; side++)
			count += findings->items[i].verdict.standing == RACE_COUNTS &&
				 findings->items[i].side[side].is_known &&
				 !is_earlier(findings, words, i, side);
	return count;
}
