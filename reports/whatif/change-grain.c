/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fewer, larger tasks. Of the tasks with the same creator, the first of each group of the requested
 * size executes the others. If a task with all its descendants is smaller than a group, the
 * descendants are executed where they are created, as in a program that stops creating tasks at
 * some depth. Tasks that are executed by others no longer cost time for being created and taken;
 * their work stays.
 */
#include <stdlib.h>

#include "change.h"
#include "memory.h"

struct grain {
	struct recording *recording;
	const bool *constructs;
	double wanted;
	uint64_t *sizes;   /* by task: number of changed tasks among it and its descendants */
	uint32_t *task_of; /* by strand: task, or RECORDED_NONE */
};

static bool is_changed(const struct grain *grain, uint32_t task)
{
	uint32_t construct = grain->recording->tasks[task].construct;

	return construct != RECORDED_NONE && grain->constructs[construct];
}

/* Tasks are numbered after their creators, so one pass from the end suffices. */
static void count_sizes(struct grain *grain)
{
	const struct recording *recording = grain->recording;

	for (size_t i = 0; i < recording->strand_count; i++)
		grain->task_of[i] = RECORDED_NONE;
	for (size_t i = 0; i < recording->task_count; i++)
		grain->task_of[recording->tasks[i].strand] = (uint32_t)i;
	for (size_t i = recording->task_count; i-- > 0;) {
		uint32_t creator = grain->task_of[recording->tasks[i].creator];

		grain->sizes[i] += is_changed(grain, (uint32_t)i);
		if (creator != RECORDED_NONE)
			grain->sizes[creator] += grain->sizes[i];
	}
}

/*
 * Removes the time that it took to create the task. The action with this time comes shortly after
 * the action that creates the task (and executes it, if that was done at once), or just before it.
 */
static void drop_creating(struct strand *strand, size_t at)
{
	bool has_any = false;

	for (size_t i = at + 1; i < strand->count && i <= at + 3; i++) {
		if (strand->actions[i].kind == ACTION_CREATING) {
			strand->actions[i].kind = ACTION_NOTHING;
			has_any = true;
		} else if (strand->actions[i].kind != ACTION_EXECUTE) {
			break;
		}
	}
	if (!has_any && at > 0 && strand->actions[at - 1].kind == ACTION_CREATING)
		strand->actions[at - 1].kind = ACTION_NOTHING;
}

/*
 * The task created at `at` becomes part of the leader, or of its creator if there is no leader. A
 * task that was executed where it was created also loses the cost of its creation.
 */
static void absorb(struct grain *grain, uint32_t creator, size_t at, uint32_t task, uint32_t leader)
{
	struct recording *recording = grain->recording;
	struct strand *strand = strand_edit(recording, creator);

	drop_creating(strand, at);
	if (recording->tasks[task].is_immediate)
		return; /* it is already executed there */
	recording->tasks[task].is_immediate = true;
	if (leader == RECORDED_NONE) {
		strand->actions[at].kind = ACTION_EXECUTE;
		return;
	}
	strand->actions[at].kind = ACTION_NOTHING;
	strand_edit(recording, recording->tasks[leader].strand);
	strand_add(recording, recording->tasks[leader].strand, ACTION_EXECUTE, task, 0);
}

static void regroup(struct grain *grain, uint32_t index)
{
	struct recording *recording = grain->recording;
	uint32_t own = grain->task_of[index], leader = RECORDED_NONE;
	bool is_inlined = own != RECORDED_NONE && is_changed(grain, own) &&
			  (double)grain->sizes[own] < grain->wanted;
	double gathered = 0;

	/*
	 * The count from before the loop: actions that a leader gets meanwhile are not creations.
	 */
	for (size_t i = 0, count = recording->strands[index].count; i < count; i++) {
		struct action action = recording->strands[index].actions[i];
		double size;

		if (is_inlined && action.kind == ACTION_WAIT_CHILDREN)
			strand_edit(recording, index)->actions[i].ticks = 0;
		if (action.kind != ACTION_CREATE || !is_changed(grain, action.subject))
			continue;
		size = (double)grain->sizes[action.subject];
		if (is_inlined) {
			absorb(grain, index, i, action.subject, RECORDED_NONE);
		} else if (size >= grain->wanted) {
			leader = RECORDED_NONE;
		} else if (leader == RECORDED_NONE) {
			leader = action.subject;
			gathered = size;
		} else {
			absorb(grain, index, i, action.subject, leader);
			gathered += size;
		}
		if (gathered >= grain->wanted)
			leader = RECORDED_NONE;
	}
}

void change_grain(struct recording *recording, const bool *constructs, double tasks)
{
	struct grain grain = {.recording = recording, .constructs = constructs, .wanted = tasks};
	size_t strands = recording->strand_count;

	grain.sizes = memory_new(recording->task_count, sizeof(grain.sizes[0]));
	grain.task_of = memory_new(recording->strand_count, sizeof(grain.task_of[0]));
	count_sizes(&grain);
	for (size_t i = 0; i < strands; i++)
		regroup(&grain, (uint32_t)i);
	free(grain.sizes);
	free(grain.task_of);
}
