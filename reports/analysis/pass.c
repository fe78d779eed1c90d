/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pass over the events. It passes each event to the file for its kind and adds up the
 * activities of every thread. A thread's activity changes only at its own events, so each event
 * adds the time since the previous one to the activity until then.
 */
#include "pass.h"

#include <stdlib.h>

#include "cuts.h"
#include "record.h"

/*
 * The thread is between its fork and its own begin, or between its own end and the join: team
 * management.
 */
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

/* Adds the time since the thread's latest moment to that activity. */
static void add_time(
    struct analysis *analysis, uint32_t thread, enum activity activity, uint64_t now)
{
	struct thread *state = &analysis->threads[thread];

	state->activities[activity] += now - state->last_time;
	if (activity == ACTIVITY_MPI && state->stay_count > 0)
		state->mpi_in_team += now - state->last_time;
	if (activity == ACTIVITY_WORK || activity == ACTIVITY_TASK || activity == ACTIVITY_MPI)
		analysis_spend(analysis, state, state->activity_construct, now - state->last_time);
	if (analysis->timeline && activity != ACTIVITY_NONE && now > state->last_time)
		timeline_add(analysis->timeline, thread, activity, state->activity_construct,
		    state->last_time, now);
	if (analysis->path)
		path_add(analysis->path, thread, activity, state->activity_construct, now);
	state->last_time = now;
	state->last_real_time = analysis->real_time;
}

/*
 * The same for an event with the kernel's figures, which divide the time: the thread ran first,
 * then it was blocked, then it waited for a processor. In which order it was, nothing shows.
 */
static void add_time_with_usage(
    struct analysis *analysis, uint32_t thread, const struct interval_usage *usage, uint64_t now)
{
	struct thread *state = &analysis->threads[thread];
	struct interval_usage away =
	    analysis_count_usage(analysis, thread, usage, now - state->last_time);
	uint64_t delayed = away.value[TRACE_USAGE_DELAYED];
	uint64_t blocked = away.value[TRACE_USAGE_BLOCKED];

	state->just_delayed = delayed;
	add_time(analysis, thread, state->activity, now - delayed - blocked);
	if (blocked > 0)
		add_time(analysis, thread, ACTIVITY_BLOCKED, now - delayed);
	if (delayed > 0)
		add_time(analysis, thread, ACTIVITY_DELAYED, now);
}

/* Called after every change of frames, which may change the thread's activity. */
static void update_activity(struct analysis *analysis, uint32_t thread)
{
	struct thread *state = &analysis->threads[thread];

	state->activity = activity_of(state);
	state->activity_construct = analysis->timeline || analysis->path ||
					    analysis->choice->observe ||
					    analysis->choice->has_behind
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

/*
 * Counts the event for the innermost construct: its own enter and leave, and everything in between.
 */
static void count_event(struct analysis *analysis, const struct thread *thread)
{
	uint64_t time = analysis->real_time;
	uint32_t construct = analysis_construct_of(thread);

	analysis->events += time >= analysis->clip_from && time <= analysis->clip_to;
	if (construct != NO_CONSTRUCT)
		analysis->constructs[construct].events++;
}

/* Samples, and what the kernel counted, are not events of the program. */
static bool is_beside(const struct analysis *analysis, const struct archive_event *event)
{
	return archive_is_sample(event) || event->kind == EVENT_BLOCKED ||
	       archive_has_usage(analysis->archive, event) ||
	       archive_has_mark(analysis->archive, event) ||
	       archive_is_of_counters(analysis->archive, event);
}

/*
 * Moves events outside the part that counts to its bounds. This clips every duration, because
 * events at the same moment have no time between them.
 */
static uint64_t clip_time(struct analysis *analysis, uint64_t time)
{
	analysis->real_time = time;
	if (time < analysis->clip_from)
		return analysis->clip_from;
	return time > analysis->clip_to ? analysis->clip_to : time;
}

/* A clock that goes back would otherwise give durations of centuries. */
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
		if (archive_has_counts(analysis->archive, event))
			analysis_take_counts(analysis, event);
		else if (!archive_has_mark(analysis->archive, event))
			analysis_metric(analysis, event);
		break;
	case EVENT_SAMPLE:
	case EVENT_FAULT:
	case EVENT_COUNTED:
		analysis_sample(analysis, event);
		break;
	case EVENT_BLOCKED:
		if (analysis_has_work(analysis->threads[event->location].activity))
			analysis_blocked_sample(analysis, event);
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
 * Passes an MPI event on, with the call that the thread is in. Some tools record events outside of
 * all calls; their waits are not known.
 */
static void pass_to_mpi(struct analysis *analysis, const struct archive_event *event)
{
	const struct frame *top = analysis_top_frame(&analysis->threads[event->location]);

	if (analysis->mpi && analysis->mpi->record)
		mpi_record_at(analysis->mpi->record, analysis->order);
	if (analysis->mpi)
		mpi_event(analysis->mpi, top ? top->mpi : NULL, event);
}

/* Passes on the event with its counted time. */
static void observe(
    const struct analysis *analysis, const struct archive_event *event, uint64_t now)
{
	struct archive_event counted = *event;

	counted.time = now;
	analysis->choice->observe(analysis->choice->observer, analysis, &counted);
}

void analysis_consume(void *context, const struct archive_event *event)
{
	struct analysis *analysis = context;
	struct thread *thread;
	uint64_t now;

	if (event->location >= analysis->archive->thread_count) {
		if (event->kind == EVENT_METRIC) /* may be about a thread */
			analysis_metric(analysis, event);
		return;
	}
	if (analysis->choice->record)
		analysis->choice->record(analysis->choice->record_context, event);
	thread = &analysis->threads[event->location];
	if (event->time > analysis->order)
		analysis->order = event->time;
	now = clip_time(analysis, event->time);
	if (analysis->cuts)
		cuts_until(analysis, now);
	analysis->kinds[event->kind]++;
	analysis->kinds[EVENT_SAMPLE] += event->kind == EVENT_FAULT;
	if (!thread->seen)
		start_thread(thread, (enum archive_event_kind)event->kind, now);
	now = keep_time_monotonic(analysis, thread, now);
	bool beside = is_beside(analysis, event);
	analysis->beside += beside;
	thread->just_delayed = 0;
	if (beside && !archive_has_usage(analysis->archive, event)) {
		/* What follows may say of the whole interval where its time went. */
	} else if (beside) {
		struct interval_usage usage = analysis_take_usage(analysis, event);
		add_time_with_usage(analysis, event->location, &usage, now);
	} else {
		add_time(analysis, event->location, thread->activity, now);
	}
	/* An enter counts for the construct that it enters. */
	if (event->kind != EVENT_ENTER && !beside)
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

/*
 * Frames that were never left, because the program ended in them, count until their thread's last
 * event.
 */
static void close_frames(struct analysis *analysis, uint32_t i)
{
	struct thread *thread = &analysis->threads[i];

	if (!thread->seen)
		return;
	analysis->real_time = thread->last_real_time;
	add_time(analysis, i, thread->activity, thread->last_time);
	while (thread->current->depth > 0) {
		analysis->unbalanced++;
		analysis_leave(analysis, i,
		    thread->current->frames[thread->current->depth - 1].region, thread->last_time);
	}
	while (thread->stay_count > 0)
		analysis_team_end(analysis, i, thread->last_time);
	while (thread->current->depth > 0)
		analysis_leave(analysis, i,
		    thread->current->frames[thread->current->depth - 1].region, thread->last_time);
	while (thread->fork_count > 0)
		analysis_join(analysis, i, thread->last_time);
}

/* Frees what only the thread's events needed. */
static void free_open(struct thread *thread)
{
	free(thread->base.frames);
	free(thread->base.metrics);
	free(thread->stays);
	free(thread->forks);
	thread->current = &thread->base;
	thread->base.frames = NULL;
	thread->base.metrics = NULL;
	thread->stays = NULL;
	thread->forks = NULL;
	thread->base.depth = thread->base.room = thread->base.metric_room = 0;
	thread->stay_count = thread->stay_room = thread->fork_count = thread->fork_room = 0;
}

void analysis_close(struct analysis *analysis, const uint32_t *locations, size_t count)
{
	size_t threads = 0;

	while (threads < count && locations[threads] < analysis->archive->thread_count)
		threads++;
	for (size_t i = 0; i < threads; i++)
		close_frames(analysis, locations[i]);
	analysis_finish_teams(analysis);
	analysis_free_tasks(analysis);
	pair_map_free(&analysis->created);
	for (size_t i = 0; i < threads; i++)
		free_open(&analysis->threads[locations[i]]);
}
