/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Explicit tasks. Traces do not contain their dependences, so they are inferred: if a thread was
 * idle although a task had been created, and began it as soon as another task of the team
 * completed, the task is assumed to depend on that one.
 */
#include "memory.h"
#include "recorder-state.h"

static struct map_key key_of(const struct archive_event *event)
{
	return (struct map_key){event->subject, (uint64_t)event->creator << 32 | event->generation};
}

static uint32_t new_task(struct recorder *recorder, struct place *place, uint32_t construct,
    const struct archive_event *event)
{
	struct recording *recording = recorder->recording;
	uint32_t team = recorder->strands[place->strand].team;
	uint32_t strand = recorder_new_strand(recorder, team, place->strand);

	MEMORY_GROW(recording->tasks, recording->task_room, recording->task_count + 1);
	MEMORY_GROW(recorder->tasks, recorder->task_room, recording->task_count + 1);
	recording->tasks[recording->task_count] = (struct recorded_task){
	    .strand = strand,
	    .construct = construct,
	    .team = team,
	    .creator = place->strand,
	    .after = RECORDED_NONE,
	};
	recorder->tasks[recording->task_count] = (struct open_task){.created_at = event->time};
	memory_pair_map_set(&recorder->task_of, key_of(event), recording->task_count);
	if (team != RECORDED_NONE)
		recorder->teams[team].open_tasks++;
	return (uint32_t)recording->task_count++;
}

void recorder_create(struct recorder *recorder, struct place *place, uint32_t construct,
    const struct archive_event *event)
{
	uint32_t task = new_task(recorder, place, construct, event);

	strand_add(recorder->recording, place->strand, ACTION_CREATE, task, 0);
}

/*
 * A waiting thread begins the task: determines what the task waited for, and the cost of taking it.
 */
static void begin_deferred(
    struct recorder *recorder, const struct place *place, uint32_t index, uint64_t now)
{
	struct recorded_task *task = &recorder->recording->tasks[index];
	uint64_t ready = recorder->tasks[index].created_at;
	const struct open_team *team =
	    task->team == RECORDED_NONE ? NULL : &recorder->teams[task->team];

	if (ready < place->idle_since)
		ready = place->idle_since;
	if (ready > now)
		ready = now;
	task->dispatch = now - ready;
	if (team && team->completed != RECORDED_NONE && team->completed_at > ready &&
	    team->completed_at <= now && task->dispatch > recorder->dispatch_max &&
	    task->dispatch > 4 * (now - team->completed_at)) {
		task->after = team->completed;
		task->dispatch = now - team->completed_at;
	}
}

void recorder_switch(struct recorder *recorder, struct place *place, enum activity before,
    const struct archive_event *event)
{
	uint64_t found = pair_map_find(&recorder->task_of, key_of(event));
	uint32_t task;

	if (event->generation == 0) {
		place->strand = place->stay_count > 0 ? place->stays[place->stay_count - 1].strand
						      : place->root;
		return;
	}
	task = found == MAP_NONE ? new_task(recorder, place, NO_CONSTRUCT, event) : (uint32_t)found;
	if (!recorder->tasks[task].is_begun) {
		recorder->tasks[task].is_begun = true;
		if (before == ACTIVITY_BARRIER || before == ACTIVITY_TASK_WAIT) {
			begin_deferred(recorder, place, task, event->time);
		} else {
			recorder->recording->tasks[task].is_immediate = true;
			strand_add(recorder->recording, place->strand, ACTION_EXECUTE, task, 0);
		}
	}
	place->strand = recorder->recording->tasks[task].strand;
}

void recorder_complete(
    struct recorder *recorder, struct place *place, const struct archive_event *event)
{
	uint64_t found = pair_map_find(&recorder->task_of, key_of(event));
	const struct recorded_task *task;
	uint32_t creator;

	if (found == MAP_NONE)
		return;
	pair_map_erase(&recorder->task_of, key_of(event));
	task = &recorder->recording->tasks[found];
	creator = task->creator;
	recorder->strands[creator].child_completed = event->time;
	for (; creator != RECORDED_NONE; creator = recorder->strands[creator].creator)
		recorder->strands[creator].descendant_completed = event->time;
	if (task->team != RECORDED_NONE) {
		recorder->teams[task->team].open_tasks--;
		recorder->teams[task->team].completed_at = event->time;
		recorder->teams[task->team].completed = (uint32_t)found;
	}
	if (place->strand != task->strand)
		return;
	place->idle_since = event->time;
	place->strand =
	    place->stay_count > 0 ? place->stays[place->stay_count - 1].strand : place->root;
}
