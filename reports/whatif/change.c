/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes that keep the teams and tasks: less work, and waits that are removed. */
#include "change.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* From a fork within the region on, everything that the team does belongs to the region. */
static void scale_strand(
    struct recording *recording, const bool *constructs, double factor, uint32_t index, int inside)
{
	struct strand *strand = &recording->strands[index];
	bool is_changed = inside > 0;

	for (size_t i = 0; i < strand->count && !is_changed; i++) {
		const struct action *action = &strand->actions[i];

		is_changed = action->kind == ACTION_FORK ||
			     (action->kind == ACTION_ENTER && action->subject != RECORDED_NONE &&
				 constructs[action->subject]);
	}
	if (!is_changed)
		return;
	strand = strand_edit(recording, index);
	for (size_t i = 0; i < strand->count; i++) {
		struct action *action = &strand->actions[i];
		const struct recorded_team *team;

		switch (action->kind) {
		case ACTION_ENTER:
			inside += action->subject != RECORDED_NONE && constructs[action->subject];
			break;
		case ACTION_LEAVE:
			inside -= action->subject != RECORDED_NONE && constructs[action->subject];
			break;
		case ACTION_WORK:
		case ACTION_CREATING:
			if (inside > 0)
				action->ticks = (uint64_t)((double)action->ticks * factor + 0.5);
			break;
		case ACTION_FORK:
			if (action->subject == RECORDED_NONE)
				break;
			team = &recording->teams[action->subject];
			for (uint32_t j = 0; j < team->size; j++)
				scale_strand(
				    recording, constructs, factor, team->strands[j], inside > 0);
			break;
		default:
			break;
		}
	}
}

static void scale(struct recording *recording, const bool *constructs, double factor)
{
	for (size_t i = 0; i < recording->start_count; i++)
		scale_strand(recording, constructs, factor, recording->starts[i].strand, 0);
	for (size_t i = 0; i < recording->task_count; i++)
		scale_strand(recording, constructs, factor, recording->tasks[i].strand, 0);
}

/* Removes the actions of these kinds with such a subject. */
static void take_out(struct recording *recording, unsigned kinds, const bool *subjects)
{
	for (size_t i = 0; i < recording->strand_count; i++) {
		const struct strand *strand = &recording->strands[i];

		for (size_t j = 0; j < strand->count; j++) {
			const struct action *action = &strand->actions[j];

			if (!(kinds >> action->kind & 1) || action->subject == RECORDED_NONE ||
			    !subjects[action->subject])
				continue;
			strand = strand_edit(recording, (uint32_t)i);
			strand->actions[j].kind = ACTION_NOTHING;
		}
	}
}

static bool is_loop(const struct construct *construct)
{
	return construct->kind == CONSTRUCT_KIND_WORK &&
	       !analysis_is_construct(construct, CONSTRUCT_SECTIONS) &&
	       !analysis_is_construct(construct, CONSTRUCT_SCOPE);
}

bool change_suits(enum change_kind kind, const struct construct *construct)
{
	switch (kind) {
	case CHANGE_BALANCE:
		return construct_is_shared_work(construct->kind);
	case CHANGE_SCHEDULE:
		return is_loop(construct);
	case CHANGE_NO_WAIT:
		return construct_is_shared_work(construct->kind) ||
		       construct->kind == CONSTRUCT_KIND_BARRIER;
	case CHANGE_GRAIN:
		return construct->kind == CONSTRUCT_KIND_TASK;
	case CHANGE_THREADS:
	case CHANGE_FASTER:
		return true;
	case CHANGE_UNLOCK:
	case CHANGE_KINDS:
		break;
	}
	return false;
}

unsigned change_apply(struct recording *recording, const struct analysis *analysis,
    const struct change *change, enum division division)
{
	switch (change->kind) {
	case CHANGE_BALANCE:
	case CHANGE_SCHEDULE:
		return change_share(recording, analysis, change, division);
	case CHANGE_THREADS:
		return change_threads(recording, analysis, (uint32_t)change->number, division);
	case CHANGE_FASTER:
		scale(recording, change->subjects, 1 / change->number);
		break;
	case CHANGE_NO_WAIT:
		take_out(recording, 1U << ACTION_BARRIER, change->subjects);
		break;
	case CHANGE_GRAIN:
		change_grain(recording, change->subjects, change->number);
		break;
	case CHANGE_UNLOCK:
		take_out(recording,
		    1U << ACTION_LOCK | 1U << ACTION_LOCK_LATE | 1U << ACTION_UNLOCK,
		    change->subjects);
		break;
	case CHANGE_KINDS:
		break;
	}
	return 0;
}
