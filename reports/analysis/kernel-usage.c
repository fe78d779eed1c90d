/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernel counted of threads, accounted as libpomp does: time in which a thread had work
 * and did not run is a wait in the construct whose work it interrupted.
 */
#include "pass.h"

static uint64_t ticks_of(const struct archive *archive, uint64_t nanoseconds)
{
	unsigned __int128 ticks = (unsigned __int128)nanoseconds * archive->ticks_per_second;

	return (uint64_t)((ticks + 500000000) / 1000000000);
}

struct interval_usage analysis_take_usage(
    struct analysis *analysis, const struct archive_event *event)
{
	struct thread *thread = &analysis->threads[event->location];
	struct interval_usage usage = {{0}};

	for (unsigned i = 0; i < TRACE_USAGE_VALUES; i++) {
		uint64_t now = i == TRACE_USAGE_FAULTS
				   ? event->values[i]
				   : ticks_of(analysis->archive, event->values[i]);
		usage.value[i] = now > thread->usage[i] ? now - thread->usage[i] : 0;
		thread->usage[i] = now;
	}
	return usage;
}

bool analysis_has_work(enum activity activity)
{
	return activity == ACTIVITY_WORK || activity == ACTIVITY_TASK ||
	       activity == ACTIVITY_SERIAL;
}

static void add_wait_delayed(struct thread *thread, struct visited *visited, uint64_t delayed)
{
	thread->wait_delayed += delayed;
	/* A construct has what belongs to the wait at its end. */
	if (visited &&
	    (thread->activity == ACTIVITY_BARRIER || thread->activity == ACTIVITY_TASK_WAIT))
		visited->wait_delayed += delayed;
}

struct interval_usage analysis_count_usage(
    struct analysis *analysis, uint32_t thread, const struct interval_usage *usage, uint64_t time)
{
	struct thread *state = &analysis->threads[thread];
	struct frame *top = analysis_top_frame(state);
	uint32_t construct = analysis_construct_of(state);
	struct visited *visited =
	    construct == NO_CONSTRUCT || !analysis_counts_thread(analysis, thread)
		? NULL
		: analysis_visit(state, construct);
	struct interval_usage away = {{0}};
	uint64_t delayed = usage->value[TRACE_USAGE_DELAYED];

	if (!analysis_has_work(state->activity)) {
		if (state->activity == ACTIVITY_NONE && state->stay_count == 0)
			state->late_delayed += delayed;
		else
			add_wait_delayed(state, visited, delayed);
	} else {
		away = *usage;
		if (away.value[TRACE_USAGE_DELAYED] > time)
			away.value[TRACE_USAGE_DELAYED] = time;
		if (away.value[TRACE_USAGE_BLOCKED] > time - away.value[TRACE_USAGE_DELAYED])
			away.value[TRACE_USAGE_BLOCKED] = time - away.value[TRACE_USAGE_DELAYED];
	}
	analysis_add_blocked_time(analysis, thread, away.value[TRACE_USAGE_BLOCKED]);
	if (state->activity == ACTIVITY_SERIAL) {
		state->serial_delayed += away.value[TRACE_USAGE_DELAYED];
		state->serial_blocked += away.value[TRACE_USAGE_BLOCKED];
	}
	if (top)
		top->nested += away.value[TRACE_USAGE_DELAYED] + away.value[TRACE_USAGE_BLOCKED];
	away.value[TRACE_USAGE_SYSTEM] = usage->value[TRACE_USAGE_SYSTEM];
	away.value[TRACE_USAGE_FAULTS] = usage->value[TRACE_USAGE_FAULTS];
	for (unsigned i = 0; visited && i < TRACE_USAGE_VALUES; i++)
		visited->usage[i] += away.value[i];
	return away;
}
