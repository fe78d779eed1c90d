/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From events to actions. The time between two events of a thread is work of the strand that it
 * executes, unless it waits; the event that ends a wait then determines what it waited for. The
 * analysis keeps frames, teams and tasks; this file keeps only what actions need in addition.
 */
#include "recorder.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "recorder-state.h"
#include "shared/loop-marks.h"

/* A thread that is idle for longer than this (us) did more than take a task. */
#define DISPATCH_MAX 20

/* After a shorter wait (us) at a barrier no thread sleeps. */
#define LONG_WAIT 50

struct recorder *recorder_new(const struct archive *archive, size_t actions_max)
{
	struct recorder *recorder = memory_new(1, sizeof(*recorder));

	recorder->recording = memory_new(1, sizeof(*recorder->recording));
	recorder->recording->long_wait = archive->ticks_per_second / 1000000 * LONG_WAIT;
	recorder->actions_max = actions_max;
	recorder->dispatch_max = archive->ticks_per_second / 1000000 * DISPATCH_MAX;
	recorder->place_count = archive->thread_count;
	recorder->places = memory_new(archive->thread_count, sizeof(recorder->places[0]));
	return recorder;
}

static void start_thread(
    struct recorder *recorder, struct place *place, uint32_t thread, uint64_t now)
{
	struct recording *recording = recorder->recording;

	place->is_seen = true;
	place->last = place->idle_since = now;
	place->construct = NO_CONSTRUCT;
	place->strand = place->root = recorder_new_strand(recorder, RECORDED_NONE, RECORDED_NONE);
	*MEMORY_ADD(recording->starts, recording->start_room, recording->start_count) =
	    (struct recorded_start){place->strand, thread, now};
}

/*
 * Records what the thread did since its previous event. delayed: how long of it had no processor
 * although it had work.
 */
static void account(struct recorder *recorder, struct place *place, uint64_t now, uint64_t delayed)
{
	uint64_t elapsed = now - place->last;
	enum action_kind kind = place->is_creating ? ACTION_CREATING : ACTION_WORK;

	place->last = now;
	switch (place->activity) {
	case ACTIVITY_SERIAL:
	case ACTIVITY_WORK:
	case ACTIVITY_TASK:
	case ACTIVITY_MPI:
		if (delayed > elapsed)
			delayed = elapsed;
		strand_add(
		    recorder->recording, place->strand, kind, place->construct, elapsed - delayed);
		strand_add(
		    recorder->recording, place->strand, ACTION_DELAYED, place->construct, delayed);
		recorder->recording->delayed += delayed;
		break;
	case ACTIVITY_LOCK:
		place->lock_wait += elapsed;
		break;
	default:
		break;
	}
}

/* No acquisition ended the wait in a lock routine or critical, so the time was work. */
static void give_up_lock_wait(struct recorder *recorder, struct place *place)
{
	strand_add(
	    recorder->recording, place->strand, ACTION_WORK, place->construct, place->lock_wait);
	place->lock_wait = 0;
}

static bool is_kind(const struct analysis *analysis, uint32_t construct, enum construct_kind kind)
{
	return construct != NO_CONSTRUCT && analysis->constructs[construct].kind == kind;
}

/* The construct of the thread's innermost frame. */
static uint32_t construct_on_top(const struct thread *thread)
{
	const struct task *task = thread->current;

	return task->depth > 0 ? task->frames[task->depth - 1].part.construct : NO_CONSTRUCT;
}

/* Whether it is a section of sections, whose work cannot be divided. */
static bool is_section(const struct analysis *analysis, uint32_t construct, enum part part)
{
	return part == PART_BODY && construct != NO_CONSTRUCT &&
	       analysis_is_construct(&analysis->constructs[construct], CONSTRUCT_SECTIONS);
}

static void enter(struct recorder *recorder, const struct analysis *analysis, struct place *place,
    const struct archive_event *event)
{
	const struct task *task = analysis->threads[event->location].current;
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the frame that was just entered */
	const struct frame *frame = &task->frames[task->depth - 1];
	uint32_t construct = frame->part.construct;

	if (frame->mpi && !(task->depth > 1 && frame[-1].mpi))
		recorder_enter_mpi(
		    recorder, place, construct, event->location, frame->entered_real);
	if (frame->part.part == PART_BODY && is_kind(analysis, construct, CONSTRUCT_KIND_ORDERED))
		recorder_enter_turn(recorder, place, construct, event->time);
	if (place->lock_wait > 0)
		give_up_lock_wait(recorder, place);
	if (frame->part.part == PART_WHOLE && !frame->part.is_mpi)
		strand_add(recorder->recording, place->strand, ACTION_ENTER, construct, 0);
	if (is_section(analysis, construct, frame->part.part))
		strand_add(recorder->recording, place->strand, ACTION_ENTER, RECORDED_NONE, 0);
	if (frame->part.part == PART_WHOLE && is_kind(analysis, construct, CONSTRUCT_KIND_PARALLEL))
		recorder_name_team(recorder, place, construct);
	if (frame->wait == ACTIVITY_BARRIER)
		recorder_arrive(recorder, place, construct, event->time);
	if (frame->wait == ACTIVITY_TASK_WAIT)
		recorder_begin_wait(recorder, place,
		    frame->part.part == PART_WAIT ? ACTION_WAIT_ALL : ACTION_WAIT_CHILDREN,
		    construct, event->time);
}

/* Ends the wait that the left region is, if any. */
static void leave_wait(struct recorder *recorder, struct place *place, uint64_t now)
{
	const struct open_strand *strand = &recorder->strands[place->strand];
	const struct action *action;

	if (strand->wait == 0)
		return;
	action = &recorder->recording->strands[place->strand].actions[strand->wait - 1];
	if (action->kind == ACTION_BARRIER)
		recorder_depart(recorder, place, now);
	else
		recorder_end_wait(recorder, place,
		    action->kind == ACTION_WAIT_ALL ? strand->descendant_completed
						    : strand->child_completed,
		    now);
}

static void leave(struct recorder *recorder, const struct analysis *analysis, struct place *place,
    const struct archive_event *event)
{
	struct region_part part = {NO_CONSTRUCT, PART_NONE};
	uint32_t outer = construct_on_top(&analysis->threads[event->location]);

	if (event->subject != ARCHIVE_NO_INDEX)
		part = analysis->parts[event->subject];
	if (place->lock_wait > 0)
		give_up_lock_wait(recorder, place);
	if (place->activity == ACTIVITY_BARRIER || place->activity == ACTIVITY_TASK_WAIT)
		leave_wait(recorder, place, event->time);
	if (part.part == PART_BODY && is_kind(analysis, outer, CONSTRUCT_KIND_ORDERED))
		recorder_leave_turn(recorder, place, outer, event->time);
	if (part.part == PART_WHOLE && !part.is_mpi)
		strand_add(recorder->recording, place->strand, ACTION_LEAVE, part.construct, 0);
	if (is_section(analysis, outer, part.part))
		strand_add(recorder->recording, place->strand, ACTION_LEAVE, RECORDED_NONE, 0);
}

static void create(struct recorder *recorder, const struct analysis *analysis, struct place *place,
    const struct archive_event *event)
{
	const struct task *task = analysis->threads[event->location].current;
	uint32_t construct = NO_CONSTRUCT;

	if (task->depth > 0 && task->frames[task->depth - 1].part.part == PART_CREATE)
		construct = task->frames[task->depth - 1].part.construct;
	recorder_create(recorder, place, construct, event);
}

static void dispatch(struct recorder *recorder, const struct analysis *analysis,
    struct place *place, const struct archive_event *event)
{
	switch ((enum archive_event_kind)event->kind) {
	case EVENT_ENTER:
		enter(recorder, analysis, place, event);
		break;
	case EVENT_LEAVE:
		leave(recorder, analysis, place, event);
		break;
	case EVENT_FORK:
		recorder_fork(recorder, place, event->time);
		break;
	case EVENT_JOIN:
		recorder_join(recorder, place, event->time);
		break;
	case EVENT_TEAM_BEGIN:
		recorder_begin(recorder, analysis, event->location, event->time);
		break;
	case EVENT_TEAM_END:
		recorder_end(recorder, event->location, event->time);
		break;
	case EVENT_ACQUIRE:
		recorder_acquire(recorder, analysis, event->location, event);
		break;
	case EVENT_RELEASE:
		recorder_release(recorder, analysis, event->location, event);
		break;
	case EVENT_TASK_CREATE:
		create(recorder, analysis, place, event);
		break;
	case EVENT_TASK_SWITCH:
		recorder_switch(recorder, place, place->activity, event);
		break;
	case EVENT_TASK_COMPLETE:
		recorder_complete(recorder, place, event);
		break;
	default:
		break;
	}
}

static void add_mark(struct recorder *recorder, const struct place *place, const uint64_t *values)
{
	struct recording *recording = recorder->recording;

	strand_add(recording, place->strand, ACTION_MARK, (uint32_t)recording->mark_count, 0);
	*MEMORY_ADD(recording->marks, recording->mark_room, recording->mark_count) =
	    (struct recorded_mark){values[LOOP_MARK_BEGIN], values[LOOP_MARK_END],
		values[LOOP_MARK_TIME], values[LOOP_MARK_GRAIN],
		loop_mark_read_schedule(values[LOOP_MARK_SCHEDULE])};
}

static void observe(
    void *observer, const struct analysis *analysis, const struct archive_event *event)
{
	struct recorder *recorder = observer;
	const struct thread *thread = &analysis->threads[event->location];
	struct place *place = &recorder->places[event->location];

	if (recorder->recording->actions > recorder->actions_max)
		return;
	if (!place->is_seen)
		start_thread(recorder, place, event->location, event->time);
	if (archive_has_mark(analysis->archive, event))
		add_mark(recorder, place, event->values);
	/* A sample or a mark: the next event says of the whole time since the previous one where it
	 * went. */
	if (thread->last_time < event->time)
		return;
	account(recorder, place, event->time, thread->just_delayed);
	dispatch(recorder, analysis, place, event);
	place->activity = thread->activity;
	place->construct = thread->activity_construct;
	place->is_creating =
	    thread->current->depth > 0 &&
	    thread->current->frames[thread->current->depth - 1].part.part == PART_CREATE;
}

void recorder_choose(struct recorder *recorder, struct analysis_choice *choice)
{
	recorder_observe_mpi(recorder);
	choice->observe = observe;
	choice->observer = recorder;
	choice->mpi_observer = &recorder->mpi_observer;
}

static void free_state(struct recorder *recorder)
{
	for (size_t i = 0; i < recorder->place_count; i++) {
		free(recorder->places[i].stays);
		free(recorder->places[i].forks);
	}
	for (size_t i = 0; i < recorder->recording->team_count; i++) {
		free(recorder->teams[i].begun_at);
		free(recorder->teams[i].ended_at);
		free(recorder->teams[i].threads);
		free(recorder->teams[i].arrived_at);
		free(recorder->teams[i].arrivals);
	}
	free(recorder->places);
	free(recorder->strands);
	free(recorder->teams);
	free(recorder->tasks);
	free(recorder->locks);
	free(recorder->departures);
	free(recorder->calls);
	free(recorder->meetings);
	pair_map_free(&recorder->call_of);
	map_free(&recorder->team_of);
	pair_map_free(&recorder->task_of);
	pair_map_free(&recorder->turn_of);
	pair_map_free(&recorder->turned_at);
	free(recorder);
}

/* Removes starts whose threads only wait for teams: they are members of those teams. */
static void finish_starts(struct recording *recording, const struct analysis *analysis)
{
	size_t count = 0;

	for (size_t i = 0; i < recording->start_count; i++) {
		struct recorded_start start = recording->starts[i];

		start.after -= analysis->first_time;
		if (analysis->threads[start.location].initial)
			recording->starts[count++] = start;
	}
	recording->start_count = count;
}

struct recording *recorder_finish(struct recorder *recorder, const struct analysis *analysis)
{
	struct recording *recording = recorder->recording;
	bool is_whole = recording->actions <= recorder->actions_max;

	recording->construct_count = analysis->construct_count;
	recording->lock_count = analysis->lock_count;
	recording->wall = analysis->last_time - analysis->first_time;
	for (size_t i = 0; i < recorder->place_count; i++)
		recording->wait_delayed += analysis->threads[i].wait_delayed;
	finish_starts(recording, analysis);
	recorder_finish_teams(recorder);
	recorder_finish_barriers(recorder);
	recorder_finish_locks(recorder);
	recorder_finish_mpi(recorder);
	free_state(recorder);
	if (is_whole)
		return recording;
	recording_free(recording);
	return NULL;
}
