/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes that leave the teams and tasks as they are: work that takes less time, waits that go. */
#include "change.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

static void scale_body(struct strand *strand, size_t begin, size_t end, double factor)
{
	for (size_t i = begin; i < end; i++) {
		if (action_is_work(&strand->actions[i]))
			strand->actions[i].ticks =
			    (uint64_t)((double)strand->actions[i].ticks * factor + 0.5);
	}
}

/* From a fork within the region on all that the team does is the region's. */
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

void change_scale(struct recording *recording, const bool *constructs, double factor)
{
	for (size_t i = 0; i < recording->start_count; i++)
		scale_strand(recording, constructs, factor, recording->starts[i].strand, 0);
	for (size_t i = 0; i < recording->task_count; i++)
		scale_strand(recording, constructs, factor, recording->tasks[i].strand, 0);
}

static void insert_work(
    struct recording *recording, uint32_t index, size_t at, uint32_t construct, uint64_t ticks)
{
	struct strand *strand = strand_edit(recording, index);

	strand->actions = memory_grow(
	    strand->actions, &strand->room, strand->count + 1, sizeof(strand->actions[0]));
	memmove(&strand->actions[at + 1], &strand->actions[at],
	    (strand->count - at) * sizeof(strand->actions[0]));
	strand->actions[at] = (struct action){ticks, construct, ACTION_WORK};
	strand->count++;
}

/* One execution by the team: cursors are where each member begins to look, and ends up. */
static bool balance_execution(struct recording *recording, const struct recorded_team *team,
    const bool *constructs, size_t *cursors, size_t *ends, uint64_t *work)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < team->size; i++) {
		const struct strand *strand = &recording->strands[team->strands[i]];

		if (!change_find_body(strand, constructs, &cursors[i], &ends[i]))
			return false;
		work[i] = change_work(strand, cursors[i], ends[i]);
		sum += work[i];
	}
	for (uint32_t i = 0; i < team->size; i++) {
		uint64_t mean = sum / team->size;
		struct strand *strand = strand_edit(recording, team->strands[i]);

		if (work[i] > 0) {
			scale_body(strand, cursors[i], ends[i], (double)mean / (double)work[i]);
		} else if (mean > 0) {
			insert_work(recording, team->strands[i], cursors[i],
			    strand->actions[cursors[i] - 1].subject, mean);
			ends[i]++;
		}
		cursors[i] = ends[i];
	}
	return true;
}

void change_balance(struct recording *recording, const bool *constructs)
{
	for (size_t i = 0; i < recording->team_count; i++) {
		const struct recorded_team *team = &recording->teams[i];
		size_t *cursors = memory_new(team->size, sizeof(cursors[0]));
		size_t *ends = memory_new(team->size, sizeof(ends[0]));
		uint64_t *work = memory_new(team->size, sizeof(work[0]));

		while (team->size > 1 &&
		       balance_execution(recording, team, constructs, cursors, ends, work))
			;
		free(cursors);
		free(ends);
		free(work);
	}
}

/* Actions of these kinds with such a subject are taken out. */
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

void change_apply(
    struct recording *recording, const struct analysis *analysis, const struct change *change)
{
	switch (change->kind) {
	case CHANGE_BALANCE:
		change_balance(recording, change->subjects);
		break;
	case CHANGE_SCHEDULE:
		/* In one block for each thread the work is as the trace has it. */
		if (change->schedule != SCHEDULE_STATIC || change->number > 0)
			change_balance(recording, change->subjects);
		break;
	case CHANGE_THREADS:
		change_threads(recording, analysis, (uint32_t)change->number);
		break;
	case CHANGE_FASTER:
		change_scale(recording, change->subjects, 1 / change->number);
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
}
