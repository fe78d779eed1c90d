/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pass over the events: passes each to the file for its kind, and adds up what every thread
 * does. A thread's activity changes only at its own events, so at each of them the time since the
 * one before is added to what it did until now.
 */
#include <stdlib.h>

#include "memory.h"
#include "pass.h"

/* Bytes of what the critical path is found in; some ten million events have so many. */
#define PATH_MEMORY ((size_t)32 << 20)

/* Between its fork and its own begin, or its own end and the join: that time is the team's. */
static bool is_forking(const struct thread *thread)
{
	return thread->fork_count > 0 &&
	       thread->forks[thread->fork_count - 1].depth == thread->stay_count;
}

static enum activity activity_of(struct thread *thread)
{
	const struct frame *top = analysis_top_frame(thread);

	if (is_forking(thread))
		return ACTIVITY_NONE;
	if (thread->stay_count == 0 && !thread->initial)
		return ACTIVITY_NONE;
	if (top && top->mpi)
		return ACTIVITY_MPI;
	if (thread->stay_count == 0)
		return ACTIVITY_SERIAL;
	if (top && top->wait != ACTIVITY_NONE)
		return top->wait;
	return thread->current->explicit_task ? ACTIVITY_TASK : ACTIVITY_WORK;
}

static void account_time(struct analysis *analysis, uint32_t thread, uint64_t now)
{
	struct thread *state = &analysis->threads[thread];

	state->activities[state->activity] += now - state->last_time;
	if (state->activity == ACTIVITY_MPI && state->stay_count > 0)
		state->mpi_in_team += now - state->last_time;
	if (analysis->timeline && state->activity != ACTIVITY_NONE && now > state->last_time)
		timeline_add(analysis->timeline, thread, state->activity, state->activity_construct,
		    state->last_time, now);
	if (analysis->path)
		path_add(analysis->path, thread, state->activity, state->activity_construct, now);
	state->last_time = now;
	state->last_real_time = analysis->real_time;
}

/* Called after every change of frames: what the thread does changes, or may have. */
static void update_activity(struct analysis *analysis, uint32_t thread)
{
	struct thread *state = &analysis->threads[thread];

	state->activity = activity_of(state);
	state->activity_construct =
	    analysis->timeline || analysis->path || analysis->choice->observe
		? analysis_construct_of(state)
		: NO_CONSTRUCT;
}

/*
 * The first event of a thread. A thread whose first event is outside of any team began the program.
 */
static void start_thread(struct thread *thread, enum archive_event_kind kind, uint64_t now)
{
	thread->seen = true;
	thread->first_time = thread->last_time = now;
	thread->base.resumed_at = now;
	thread->base.running = true;
	thread->current = &thread->base;
	thread->activity_construct = NO_CONSTRUCT;
	thread->initial = kind == EVENT_PROGRAM_BEGIN || kind == EVENT_FORK || kind == EVENT_ENTER;
}

/* The event is the innermost construct's: its own enter and leave, and what happens in between. */
static void count_event(struct analysis *analysis, const struct thread *thread)
{
	uint32_t construct = analysis_construct_of(thread);

	if (construct != NO_CONSTRUCT)
		analysis->constructs[construct].events++;
}

/*
 * Events before and after the part that counts are moved to its bounds. Every duration is clipped
 * by this, since what is moved to the same moment takes no time.
 */
static uint64_t clip_time(struct analysis *analysis, uint64_t time)
{
	analysis->real_time = time;
	analysis->events += time >= analysis->clip_from && time <= analysis->clip_to;
	if (time < analysis->clip_from)
		return analysis->clip_from;
	return time > analysis->clip_to ? analysis->clip_to : time;
}

/* Without this a clock that goes back would make times of centuries. */
static uint64_t keep_time_monotonic(
    struct analysis *analysis, const struct thread *thread, uint64_t now)
{
	if (now < thread->last_time) {
		analysis->unbalanced++;
		now = thread->last_time;
	}
	if (now < analysis->first_time)
		analysis->first_time = now;
	if (now > analysis->last_time)
		analysis->last_time = now;
	return now;
}

/* Passes the event to the file for its kind. */
static void dispatch(struct analysis *analysis, const struct archive_event *event, uint64_t now)
{
	switch ((enum archive_event_kind)event->kind) {
	case EVENT_ENTER:
		analysis_enter(analysis, event->location, event->subject, now);
		break;
	case EVENT_LEAVE:
		analysis_leave(analysis, event->location, event->subject, now);
		break;
	case EVENT_FORK:
		analysis_fork(analysis, event->location, now);
		break;
	case EVENT_JOIN:
		analysis_join(analysis, event->location, now);
		break;
	case EVENT_TEAM_BEGIN:
		analysis_team_begin(analysis, event->location, event->subject, now);
		break;
	case EVENT_TEAM_END:
		analysis_team_end(analysis, event->location, now);
		break;
	case EVENT_ACQUIRE:
		analysis_acquire(analysis, event->location, event->subject, now);
		break;
	case EVENT_RELEASE:
		analysis_release(analysis, event->location, event->subject, now);
		break;
	case EVENT_METRIC:
		analysis_metric(analysis, event);
		break;
	case EVENT_TASK_CREATE:
		analysis_path_task(analysis, event, now);
		break;
	case EVENT_TASK_SWITCH:
		analysis_path_task(analysis, event, now);
		analysis_switch_task(analysis, event, now);
		break;
	case EVENT_TASK_COMPLETE:
		analysis_path_task(analysis, event, now);
		analysis_complete_task(analysis, event, now);
		break;
	default:
		break;
	}
}

/*
 * Within the call that the thread is in; some tools record events outside of all calls, of which no
 * waits are known.
 */
static void pass_to_mpi(struct analysis *analysis, const struct archive_event *event)
{
	const struct frame *top = analysis_top_frame(&analysis->threads[event->location]);

	if (analysis->mpi)
		mpi_event(analysis->mpi, top ? top->mpi : NULL, event);
}

/* The event with the time that was counted. */
static void observe(
    const struct analysis *analysis, const struct archive_event *event, uint64_t now)
{
	struct archive_event counted = *event;

	counted.time = now;
	analysis->choice->observe(analysis->choice->observer, analysis, &counted);
}

static void consume(void *context, const struct archive_event *event)
{
	struct analysis *analysis = context;
	struct thread *thread;
	uint64_t now;

	if (event->location >= analysis->archive->thread_count) {
		if (event->kind == EVENT_METRIC) /* about a thread, perhaps */
			analysis_metric(analysis, event);
		return;
	}
	thread = &analysis->threads[event->location];
	now = clip_time(analysis, event->time);
	analysis->kinds[event->kind]++;
	if (!thread->seen)
		start_thread(thread, (enum archive_event_kind)event->kind, now);
	now = keep_time_monotonic(analysis, thread, now);
	account_time(analysis, event->location, now);
	/* An enter is the construct's that it enters. */
	if (event->kind != EVENT_ENTER)
		count_event(analysis, thread);
	if (archive_is_mpi_event(event->kind))
		pass_to_mpi(analysis, event);
	else
		dispatch(analysis, event, now);
	if (event->kind == EVENT_ENTER)
		count_event(analysis, thread);
	update_activity(analysis, event->location);
	if (analysis->choice->observe)
		observe(analysis, event, now);
}

/* Frames that were never left (the program ended in them) count until their thread's last event. */
static void close_frames(struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->archive->thread_count; i++) {
		struct thread *thread = &analysis->threads[i];

		if (!thread->seen)
			continue;
		analysis->real_time = thread->last_real_time;
		account_time(analysis, (uint32_t)i, thread->last_time);
		while (thread->current->depth > 0) {
			analysis->unbalanced++;
			analysis_leave(analysis, (uint32_t)i,
			    thread->current->frames[thread->current->depth - 1].region,
			    thread->last_time);
		}
		while (thread->stay_count > 0)
			analysis_team_end(analysis, (uint32_t)i, thread->last_time);
		while (thread->current->depth > 0)
			analysis_leave(analysis, (uint32_t)i,
			    thread->current->frames[thread->current->depth - 1].region,
			    thread->last_time);
		while (thread->fork_count > 0)
			analysis_join(analysis, (uint32_t)i, thread->last_time);
	}
	analysis_finish_teams(analysis);
}

static void fold_visited(struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->archive->thread_count; i++) {
		const struct thread *thread = &analysis->threads[i];

		if (!analysis_counts_thread(analysis, (uint32_t)i))
			continue;
		for (size_t j = 0; j < thread->visited_count; j++) {
			struct construct *construct =
			    &analysis->constructs[thread->visited[j].construct];
			uint64_t time = thread->visited[j].work;

			construct->time += thread->visited[j].time;
			if (thread->visited[j].visits == 0)
				continue;
			if (construct->threads == 0 || time < construct->body_min)
				construct->body_min = time;
			if (time > construct->body_max)
				construct->body_max = time;
			construct->body_sum += time;
			construct->threads++;
			construct->visits += thread->visited[j].visits;
			construct->self += thread->visited[j].self;
			construct->barrier_wait += thread->visited[j].barrier_wait;
			construct->enter_wait += thread->visited[j].enter_wait;
		}
	}
}

static void choose(struct analysis *analysis, const struct analysis_choice *choice)
{
	const struct archive *archive = analysis->archive;
	unsigned __int128 ticks = archive->ticks_per_second;

	analysis->choice = choice;
	analysis->clip_to = UINT64_MAX;
	if (choice->from > 0)
		analysis->clip_from =
		    archive->clock_start + (uint64_t)(choice->from * ticks / 1000000000);
	if (choice->to != SUMMARY_NOT_MEASURED)
		analysis->clip_to =
		    archive->clock_start + (uint64_t)(choice->to * ticks / 1000000000);
	analysis->shortest = (uint64_t)(choice->min_duration * ticks / 1000000000);
	if (analysis->clip_from > analysis->clip_to)
		analysis->clip_from = analysis->clip_to;
}

/* Of the part of the clock's span that is wanted and not clipped. */
static struct timeline *new_timeline(const struct analysis *analysis)
{
	const struct archive *archive = analysis->archive;
	uint64_t begin = archive->clock_start, end = begin + archive->clock_length;

	if (analysis->choice->timeline.end > 0) {
		begin = analysis->choice->timeline.begin;
		end = analysis->choice->timeline.end;
	}
	if (end > analysis->clip_to)
		end = analysis->clip_to;
	if (begin < analysis->clip_from)
		begin = analysis->clip_from < end ? analysis->clip_from : end;
	return timeline_new(archive->thread_count, &analysis->choice->timeline, begin, end - begin);
}

struct analysis *analysis_run(struct archive *archive, const struct analysis_choice *choice)
{
	struct analysis *analysis = memory_new(1, sizeof(*analysis));

	analysis->archive = archive;
	analysis->first_time = UINT64_MAX;
	choose(analysis, choice);
	analysis->threads = memory_new(archive->thread_count, sizeof(analysis->threads[0]));
	for (size_t i = 0; i < archive->thread_count; i++)
		analysis->threads[i].current = &analysis->threads[i].base;
	if (choice->timeline.bins > 0)
		analysis->timeline = new_timeline(analysis);
	if (choice->has_path)
		analysis->path = path_new(archive->thread_count, PATH_MEMORY);
	analysis->largest_teams =
	    memory_new(archive->group_count + 1, sizeof(analysis->largest_teams[0]));
	analysis->imbalances =
	    memory_new(archive->group_count + 1, sizeof(analysis->imbalances[0]));
	analysis_find_constructs(analysis);
	analysis_find_metrics(analysis);
	if (analysis->has_mpi) {
		analysis->mpi =
		    mpi_new(archive, analysis->clip_from, analysis->clip_to, analysis->path);
		analysis->mpi->arrows_max = choice->timeline.arrows_max;
		analysis->mpi->observer = choice->mpi_observer;
	}
	archive_for_each_event(archive, consume, analysis);
	if (analysis->first_time == UINT64_MAX)
		analysis->first_time = analysis->last_time = archive->clock_start;
	if (analysis->timeline &&
	    (analysis->first_time < archive->clock_start ||
		analysis->last_time - archive->clock_start > archive->clock_length))
		archive_warn(archive,
		    "the clock's definition does not cover all events; the timeline shows a part");
	close_frames(analysis);
	if (analysis->mpi)
		mpi_finish(analysis->mpi);
	fold_visited(analysis);
	if (analysis->timeline)
		timeline_finish(analysis->timeline);
	analysis->choice = NULL;
	if (analysis->unbalanced > 0)
		archive_warn(archive,
		    "%llu events contradict each other (enter without leave, time that goes back); "
		    "the figures around them are estimates",
		    (unsigned long long)analysis->unbalanced);
	return analysis;
}

void analysis_free(struct analysis *analysis)
{
	if (!analysis)
		return;
	for (size_t i = 0; i < analysis->archive->thread_count; i++) {
		struct thread *thread = &analysis->threads[i];

		free(thread->base.frames);
		free(thread->base.metrics);
		free(thread->stays);
		free(thread->forks);
		free(thread->visited);
		map_free(&thread->visited_of);
	}
	for (size_t i = 0; i < analysis->construct_count; i++) {
		free(analysis->constructs[i].name);
		free(analysis->constructs[i].sub_name);
	}
	for (size_t i = 0; i < analysis->lock_count; i++)
		free(analysis->locks[i].name);
	map_free(&analysis->current_team);
	analysis_free_tasks(analysis);
	analysis_free_metrics(analysis);
	pair_map_free(&analysis->lock_of);
	pair_map_free(&analysis->created);
	timeline_free(analysis->timeline);
	path_free(analysis->path);
	mpi_free(analysis->mpi);
	free(analysis->threads);
	free(analysis->constructs);
	free(analysis->largest_teams);
	free(analysis->imbalances);
	free(analysis->parts);
	free(analysis->locks);
	free(analysis);
}
