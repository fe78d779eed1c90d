/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parallel regions that are identified by the address of their code (shared/code-events.h). The
 * handle is the team. A runtime lets the threads of a team wait for their next region within the
 * last barrier of this one, and only reports that they left it when the next one begins. Therefore
 * what the team needs to know about them is recorded when they arrive there, and they count as
 * having left at the join.
 */
#include "code-stack.h"
#include "code-table.h"
#include "event.h"

static struct pomp_team *fork_team(struct pomp_thread *thread, struct code_address where,
    uint64_t id, const struct pomp_origin *origin, uint64_t now)
{
	struct pomp_team *team =
	    pomp_event_fork(thread, pomp_thread_accumulator(thread, id), id, now);

	if (team == NULL)
		return NULL;
	team->region = id;
	team->entry = where.at == CODE_ENTRY ? where.address : NULL;
	team->caller = where.caller;
	team->left = 0;
	team->origin = origin;
	team->place = thread->team != NULL && thread->member != NULL
			  ? pomp_team_place(thread->team, thread->member->number)
			  : 0;
	pomp_team_publish(team);
	return team;
}

uint64_t pomp_code_fork(struct code_address where)
{
	if (pomp_stack_measures(CONSTRUCT_PARALLEL))
		return POMP_CODE_MEASURED;
	OMPRegDescr *region = pomp_code_find(CONSTRUCT_PARALLEL, where, NULL);
	struct pomp_thread *thread = region != NULL ? pomp_event_begin() : NULL;
	if (thread == NULL)
		return 0;
	uint64_t id = pomp_event_region(region);
	uint64_t now = pomp_event_time(thread);
	const void *caller = where.at == CODE_RETURN ? where.address : where.caller;
	const struct pomp_origin *origin =
	    caller != NULL ? POMP_EVENT_ORIGIN(thread, caller, id, now) : NULL;
	struct pomp_team *team = fork_team(thread, where, id, origin, now);
	pomp_event_end_logged(thread);
	return (uint64_t)(uintptr_t)team;
}

/* Closes whatever an earlier region, which the thread has left, left open on this thread. */
static void close_leftovers(struct pomp_thread *thread, const struct pomp_team *team, uint64_t now)
{
	const struct pomp_frame *last = pomp_frame_below_team(thread, team);

	if (thread->top == last)
		return;
	pomp_event_close_joined(thread, true);
	if (thread->top > last)
		pomp_frame_unwind_to(thread, last, now);
}

static struct pomp_thread *begin_in_team(const struct pomp_team *team, uint32_t number)
{
	if (pomp_self == NULL && number > 0)
		pomp_thread_attach_at(pomp_team_place(team, number));
	return pomp_event_begin();
}

bool pomp_code_begin(uint64_t fork, uint32_t number, uint32_t size)
{
	struct pomp_team *team = (struct pomp_team *)(uintptr_t)fork;

	if (fork <= POMP_CODE_MEASURED)
		return false;
	uint64_t run = load_acquire(&team->number);
	struct pomp_thread *thread = begin_in_team(team, number);
	if (thread == NULL)
		return false;
	uint64_t id = team->region;
	struct pomp_accumulator *sums = pomp_thread_accumulator(thread, id);
	if (thread->metrics != NULL)
		pomp_metrics_read(thread->metrics);
	close_leftovers(thread, team, thread->time);
	uint64_t now = pomp_event_time(thread);
	const struct pomp_frame *top = thread->top;
	const struct pomp_numbers numbers = {number, size};
	if (pomp_team_enter(team, thread, sums, now, &numbers))
		pomp_event_log(thread, TRACE_LOG_TEAM_BEGIN, 2, id, now, run,
		    (uint64_t)thread->member->number << 32 | load_relaxed(&team->size));
	bool begun = thread->top != top;
	pomp_event_end_logged(thread);
	return begun;
}

void pomp_code_end(void)
{
	const struct pomp_frame *frame = pomp_stack_find(POMP_ROLE_PARALLEL, CONSTRUCT_PARALLEL);
	struct pomp_thread *thread = frame != NULL ? pomp_event_begin() : NULL;

	if (thread == NULL)
		return;
	pomp_event_close_joined(thread, true);
	if (thread->top < frame) { /* it left with the join */
		pomp_event_drop(thread);
		return;
	}
	uint64_t now = pomp_event_time(thread);
	if (thread->metrics != NULL)
		pomp_metrics_read(thread->metrics);
	pomp_frame_unwind_to(thread, frame, now);
	pomp_event_leave_team(thread, now, true);
	pomp_event_end_logged(thread);
}

void pomp_code_join(uint64_t fork)
{
	struct pomp_team *team = (struct pomp_team *)(uintptr_t)fork;
	struct pomp_thread *thread = fork > POMP_CODE_MEASURED ? pomp_event_begin() : NULL;

	if (thread == NULL)
		return;
	uint64_t now = pomp_event_time(thread);
	struct pomp_frame *frame = pomp_frame_of_team(thread, team);
	if (frame > thread->stack) {
		pomp_frame_unwind_to(thread, frame, now);
		pomp_team_release(team, now);
		pomp_event_join(thread, team->region, now);
	}
	pomp_event_end_logged(thread);
}
