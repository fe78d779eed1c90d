/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of pomp.h for parallel regions. The master's stack has a FORK frame from fork to join;
 * each thread of the team has a PARALLEL frame from begin to end. A thread's team is that of its
 * innermost PARALLEL frame.
 */
#include "event.h"
#include "plain-name.h"
#include "region-threads.h"

uint64_t pomp_parallel_fork(OMPRegDescr *region)
{
	struct pomp_thread *thread = pomp_event_begin();

	pomp_region_threads_fork(region, __builtin_return_address(0));
	if (thread == NULL)
		return 0;
	uint64_t id = pomp_event_region(region);
	uint64_t now = pomp_event_time(thread);
	struct pomp_team *team =
	    pomp_event_fork(thread, pomp_thread_accumulator(thread, id), id, now);
	if (team != NULL) {
		team->origin = POMP_EVENT_ORIGIN(thread, 0, id, now);
		pomp_team_publish(team);
	}
	pomp_event_end_logged(thread);
	return (uint64_t)(uintptr_t)team;
}
PLAIN_NAME(pomp_parallel_fork)

/* Closes whatever an earlier region left open on this thread. */
static void close_leftovers(struct pomp_thread *thread, const struct pomp_team *team, uint64_t now)
{
	const struct pomp_frame *last = pomp_frame_below_team(thread, team);

	if (thread->top != last)
		pomp_frame_unwind_to(thread, last, now);
}

void pomp_parallel_begin(OMPRegDescr *region, uint64_t fork)
{
	struct pomp_thread *thread = pomp_event_begin();
	struct pomp_team *team = (struct pomp_team *)(uintptr_t)fork;

	pomp_region_threads_begin(region);
	if (thread == NULL)
		return;
	uint64_t id = pomp_event_region(region);
	struct pomp_accumulator *sums = pomp_thread_accumulator(thread, id);
	uint64_t number = team != NULL ? load_acquire(&team->number) : 0;
	if (thread->metrics != NULL)
		pomp_metrics_read(thread->metrics);
	uint64_t now = pomp_event_time(thread);
	if (team == NULL) {
		team = pomp_event_fork(thread, sums, id, now);
		if (team != NULL) {
			team->alone = true;
			number = load_relaxed(&team->number);
		}
	} else {
		close_leftovers(thread, team, now);
	}
	if (team != NULL && pomp_team_enter(team, thread, sums, now, NULL) && !team->silent)
		pomp_event_log(thread, TRACE_LOG_TEAM_BEGIN, 2, id, now, number,
		    (uint64_t)thread->member->number << 32 | load_relaxed(&team->size));
	pomp_event_end_logged(thread);
}
PLAIN_NAME(pomp_parallel_begin)

void pomp_parallel_end(OMPRegDescr *region)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	uint64_t now = pomp_event_time(thread);
	if (thread->metrics != NULL)
		pomp_metrics_read(thread->metrics);
	uint64_t id = pomp_event_region(region);
	struct pomp_accumulator *sums = pomp_thread_accumulator(thread, id);
	struct pomp_frame *frame = pomp_frame_find(thread, sums, POMP_ROLE_PARALLEL, now);
	if (frame != NULL) {
		pomp_team_leave(thread, frame, now);
		pomp_event_log(thread, TRACE_LOG_TEAM_END, 0, id, now, 0, 0);
	}
	if (thread->top->role == POMP_ROLE_FORK && thread->top->parallel.team->alone)
		pomp_event_join(thread, id, now);
	pomp_event_end_logged(thread);
}
PLAIN_NAME(pomp_parallel_end)

void pomp_parallel_join(OMPRegDescr *region, uint64_t fork)
{
	struct pomp_thread *thread = pomp_event_begin();
	struct pomp_team *team = (struct pomp_team *)(uintptr_t)fork;

	pomp_region_threads_join(region);
	if (thread == NULL)
		return;
	uint64_t now = pomp_event_time(thread);
	struct pomp_frame *frame = pomp_frame_of_team(thread, team);
	if (frame > thread->stack) {
		pomp_frame_unwind_to(thread, frame, now);
		pomp_event_join(thread, pomp_event_region(region), now);
	}
	pomp_event_end_logged(thread);
}
PLAIN_NAME(pomp_parallel_join)
