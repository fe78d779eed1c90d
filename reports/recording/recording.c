/* SPDX-License-Identifier: BSD-3-Clause */
/* The recording as a data structure: it grows while it is made, and copies share what they can. */
#include "recording.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

static void *copy_array(const void *array, size_t count, size_t size)
{
	void *copy = memory_new(count, size);

	if (count > 0)
		memcpy(copy, array, count * size);
	return copy;
}

void recording_free(struct recording *recording)
{
	if (!recording)
		return;
	for (size_t i = 0; i < recording->strand_count; i++) {
		if (recording->strands[i].room > 0)
			free(recording->strands[i].actions);
	}
	for (size_t i = 0; i < recording->team_count; i++) {
		if (recording->teams[i].shares_strands)
			continue;
		free(recording->teams[i].strands);
		free(recording->teams[i].startup);
	}
	free(recording->strands);
	free(recording->teams);
	free(recording->tasks);
	free(recording->starts);
	free(recording->locks);
	free(recording->signals);
	if (recording->mark_room > 0)
		free(recording->marks);
	free(recording);
}

struct recording *recording_copy(const struct recording *original)
{
	struct recording *copy = copy_array(original, 1, sizeof(*original));

	copy->strands =
	    copy_array(original->strands, original->strand_count, sizeof(copy->strands[0]));
	copy->teams = copy_array(original->teams, original->team_count, sizeof(copy->teams[0]));
	copy->tasks = copy_array(original->tasks, original->task_count, sizeof(copy->tasks[0]));
	copy->starts = copy_array(original->starts, original->start_count, sizeof(copy->starts[0]));
	copy->locks = copy_array(original->locks, original->lock_count, sizeof(copy->locks[0]));
	copy->signals =
	    copy_array(original->signals, original->signal_count, sizeof(copy->signals[0]));
	copy->mark_room = 0;
	copy->strand_room = original->strand_count;
	copy->team_room = original->team_count;
	copy->task_room = original->task_count;
	copy->start_room = original->start_count;
	for (size_t i = 0; i < copy->strand_count; i++)
		copy->strands[i].room = 0;
	for (size_t i = 0; i < copy->team_count; i++)
		copy->teams[i].shares_strands = true;
	return copy;
}

uint32_t recording_new_strand(struct recording *recording)
{
	MEMORY_GROW(recording->strands, recording->strand_room, recording->strand_count + 1);
	recording->strands[recording->strand_count] = (struct strand){0};
	return (uint32_t)recording->strand_count++;
}

void strand_add(struct recording *recording, uint32_t index, enum action_kind kind,
    uint32_t subject, uint64_t ticks)
{
	struct strand *strand = &recording->strands[index];
	struct action *last = strand->count ? &strand->actions[strand->count - 1] : NULL;

	if (kind <= ACTION_DELAYED) {
		if (ticks == 0)
			return;
		if (last && last->kind == kind && last->subject == subject) {
			last->ticks += ticks;
			return;
		}
	}
	*MEMORY_ADD(strand->actions, strand->room, strand->count) =
	    (struct action){ticks, subject, kind};
	recording->actions++;
}

struct strand *strand_edit(struct recording *recording, uint32_t index)
{
	struct strand *strand = &recording->strands[index];

	if (strand->room == 0 && strand->count > 0) {
		strand->actions =
		    copy_array(strand->actions, strand->count, sizeof(strand->actions[0]));
		strand->room = strand->count;
	}
	return strand;
}

void strand_replace(
    struct recording *recording, uint32_t index, struct action *actions, size_t count)
{
	struct strand *strand = &recording->strands[index];

	if (strand->room > 0)
		free(strand->actions);
	*strand = (struct strand){actions, count, count > 0 ? count : 1};
}
