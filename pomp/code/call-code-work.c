/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constructs that are identified by the address of their code (shared/code-events.h): work-sharing,
 * synchronisation, and all that are entered and left as a whole. Each event is one of pomp.h's,
 * with the descriptor that the construct has in the table of code.
 */
#include "code-stack.h"
#include "code-table.h"
#include "fast-path.h"

void pomp_code_tool_loaded(void)
{
	pomp_process.has_tool = true;
}

bool pomp_code_has_regions(void)
{
	pomp_lock_process();
	bool has = pomp_regions.count > 0;
	pomp_unlock_process();
	return has;
}

bool pomp_code_tell_serial(void)
{
	if (pomp_code_has_regions())
		return false;
	pomp_process.tells_serial = true;
	pomp_finalize();
	return pomp_process.told_serial;
}

static enum pomp_role role_of(enum construct_id construct)
{
	return construct_is_wait(construct_kind(construct)) ? POMP_ROLE_WAIT : POMP_ROLE_CONSTRUCT;
}

/*
 * If one call begins a loop together with its parallel region, the runtime reports that call's
 * address for the loop, which is then in the same function as the region.
 */
static struct code_address place_in_region(struct code_address where)
{
	const struct pomp_thread *thread = pomp_self;
	const struct pomp_team *team = thread != NULL ? thread->team : NULL;

	if (team == NULL || thread->top->role != POMP_ROLE_PARALLEL || team->entry == NULL ||
	    where.at != CODE_RETURN || team->caller != where.address)
		return where;
	where.caller = where.address;
	where.address = team->entry;
	where.at = CODE_ENTRY;
	return where;
}

void pomp_code_enter(enum construct_id construct, struct code_address where)
{
	if (pomp_fast_off() || pomp_stack_measures(construct))
		return;
	where = place_in_region(where);
	OMPRegDescr *region = pomp_code_find(construct, where, NULL);
	if (region == NULL)
		return;
	if (role_of(construct) == POMP_ROLE_WAIT)
		pomp_event_enter(region, POMP_ROLE_WAIT, TRACE_LOG_ENTER);
	else
		pomp_event_enter(region, POMP_ROLE_CONSTRUCT, TRACE_LOG_ENTER);
}

/*
 * The construct is entered at this time, but only with the thread's next event, which may show that
 * it belongs to another construct: a masked block may be one that the program's own calls measure,
 * and a taskgroup may be the one around a taskloop.
 */
void pomp_code_enter_later(enum construct_id construct, struct code_address where)
{
	if (pomp_fast_off() || pomp_stack_measures(construct))
		return;
	OMPRegDescr *region = pomp_code_find(construct, where, NULL);
	struct pomp_thread *thread = region != NULL ? pomp_event_begin() : NULL;
	if (thread == NULL)
		return;
	thread->entering.at = pomp_event_time(thread);
	thread->entering.region = region;
	thread->entering.address = where.address;
	fetch_or_relaxed(&thread->unusual, POMP_UNUSUAL_PENDING);
	pomp_event_drop(thread);
}

/*
 * A taskloop's frame records whether a taskgroup was reported around it, which then ends it. A
 * frame with a filter has no room for that, and the taskloop ends by itself. The frame also records
 * the taskloop's address: see pomp_code_task_create().
 */
enum { IN_GROUP = 1 };

static bool is_in_group(const struct pomp_frame *frame)
{
	return frame->accumulator->filtered != POMP_FILTERED_BRIEF &&
	       frame->task.number == IN_GROUP;
}

void pomp_code_taskloop_enter(struct code_address where, const void *group)
{
	struct pomp_thread *thread = pomp_self;
	bool grouped = thread != NULL && thread->entering.region != NULL &&
		       (where.address == NULL || thread->entering.address == where.address ||
			   thread->entering.address == group);

	if (grouped) {
		thread->entering.region = NULL;
		if (where.address == NULL)
			where.address = thread->entering.address;
	}
	pomp_code_enter(CONSTRUCT_TASKLOOP, where);
	thread = pomp_self;
	struct pomp_frame *frame = thread != NULL ? thread->top : NULL;
	if (frame != NULL && frame->role == POMP_ROLE_CONSTRUCT &&
	    frame->accumulator->region->code != NULL &&
	    frame->accumulator->region->construct == CONSTRUCT_TASKLOOP &&
	    frame->accumulator->filtered != POMP_FILTERED_BRIEF) {
		frame->task.number = grouped ? IN_GROUP : 0;
		frame->task.suspended = (uintptr_t)where.address;
	}
}

/* Returns the frame that ends; the end of a taskgroup ends the taskloop inside it. */
static const struct pomp_frame *find_to_leave(enum construct_id *construct)
{
	const struct pomp_frame *frame = pomp_stack_find(role_of(*construct), *construct);

	if (*construct == CONSTRUCT_TASKLOOP)
		return frame != NULL && is_in_group(frame) ? NULL : frame;
	if (frame != NULL || *construct != CONSTRUCT_TASKGROUP)
		return frame;
	frame = pomp_stack_find(POMP_ROLE_CONSTRUCT, CONSTRUCT_TASKLOOP);
	*construct = CONSTRUCT_TASKLOOP;
	return frame != NULL && is_in_group(frame) ? frame : NULL;
}

/* Enters the construct that was waiting for the next event. */
static void enter_now(void)
{
	struct pomp_thread *thread = pomp_self;

	if (thread == NULL || thread->entering.region == NULL)
		return;
	thread = pomp_event_begin();
	if (thread != NULL)
		pomp_event_drop(thread);
}

void pomp_code_leave(enum construct_id construct)
{
	enter_now();
	const struct pomp_frame *frame = find_to_leave(&construct);
	if (frame == NULL)
		return;
	OMPRegDescr *region = frame->accumulator->region->descriptor;
	if (role_of(construct) == POMP_ROLE_WAIT)
		pomp_event_leave(region, POMP_ROLE_WAIT, TRACE_LOG_LEAVE);
	else
		pomp_event_leave(region, POMP_ROLE_CONSTRUCT, TRACE_LOG_LEAVE);
}

void pomp_code_block_begin(enum construct_id construct)
{
	const struct pomp_frame *frame = pomp_stack_find(POMP_ROLE_CONSTRUCT, construct);

	if (frame != NULL)
		pomp_event_enter(
		    frame->accumulator->region->descriptor, POMP_ROLE_BLOCK, TRACE_LOG_BLOCK_ENTER);
}

void pomp_code_block_end(enum construct_id construct)
{
	const struct pomp_frame *frame = pomp_stack_find(POMP_ROLE_BLOCK, construct);

	if (frame != NULL && !pomp_stack_ends_late(frame - 1))
		pomp_event_leave(
		    frame->accumulator->region->descriptor, POMP_ROLE_BLOCK, TRACE_LOG_BLOCK_LEAVE);
}

/*
 * The construct stays on the stack. The thread's next event is its barrier, or ends it, see
 * pomp_event_settle().
 */
void pomp_code_work_end(enum construct_id construct)
{
	const struct pomp_frame *frame = pomp_stack_find(POMP_ROLE_CONSTRUCT, construct);

	if (frame == NULL || pomp_stack_ends_late(frame))
		return;
	struct pomp_thread *thread = pomp_event_begin();
	if (thread == NULL)
		return;
	uint64_t now = pomp_event_time_leaving(thread);
	frame = pomp_frame_find(thread, frame->accumulator, POMP_ROLE_CONSTRUCT, now);
	if (frame != NULL) {
		thread->pending = now;
		fetch_or_relaxed(&thread->unusual, POMP_UNUSUAL_PENDING);
	}
	pomp_event_drop(thread);
}

/*
 * The construct on top does not end yet, because its barrier follows. Returns when its work ended.
 */
static uint64_t go_on(struct pomp_thread *thread)
{
	uint64_t ended = thread->pending;

	thread->pending = 0;
	if (!thread->asked.open && thread->late == 0)
		fetch_and_relaxed(&thread->unusual, ~(uint32_t)POMP_UNUSUAL_PENDING);
	return ended;
}

static void enter_barrier(struct pomp_thread *thread, uint64_t now)
{
	struct pomp_frame *construct = thread->top;
	const struct pomp_frame *frame =
	    pomp_frame_push(thread, construct->accumulator, POMP_ROLE_BARRIER, now);

	if (frame != NULL && !frame->silent)
		pomp_event_log(thread, TRACE_LOG_BARRIER_ENTER, 0,
		    construct->accumulator->region->id, now, 0, 0);
}

/* Enters the barrier of the construct whose work has just ended; false: there is none. */
static bool enter_pending_barrier(struct pomp_thread *thread)
{
	if (thread->pending == 0)
		return false;
	thread = pomp_event_begin_pending();
	if (thread == NULL)
		return true;
	enter_barrier(thread, go_on(thread));
	pomp_event_end_logged(thread);
	return true;
}

/* Enters the team's last barrier. There may be no further event from the thread. */
static void enter_last_barrier(void)
{
	const struct pomp_frame *frame = pomp_stack_find(POMP_ROLE_PARALLEL, CONSTRUCT_PARALLEL);
	struct pomp_thread *thread = frame != NULL ? pomp_event_begin() : NULL;

	if (thread == NULL)
		return;
	uint64_t now = pomp_event_time_entering(thread);
	if (thread->top != frame)
		pomp_frame_unwind_to(thread, frame, now);
	enter_barrier(thread, now);
	pomp_team_arrive(thread, now);
	pomp_event_end_logged(thread);
}

/*
 * Enters a barrier that a runtime needs for the region itself, such as for its reduction; false: it
 * is not such a barrier.
 */
static bool enter_barrier_of_region(void)
{
	struct pomp_thread *thread = pomp_self;
	const struct pomp_frame *top = thread->top;

	if (top->role != POMP_ROLE_PARALLEL || top->accumulator->region->code == NULL)
		return false;
	thread = pomp_event_begin();
	if (thread == NULL)
		return true;
	enter_barrier(thread, pomp_event_time_entering(thread));
	pomp_event_end_logged(thread);
	return true;
}

void pomp_code_barrier_enter(enum construct_id of, struct code_address where)
{
	const struct pomp_thread *thread = pomp_self;

	if (pomp_fast_off() || thread == NULL || pomp_stack_measures(CONSTRUCT_BARRIER))
		return;
	if (of == CONSTRUCT_PARALLEL) {
		enter_last_barrier();
		return;
	}
	if (!enter_pending_barrier(pomp_self) && !enter_barrier_of_region())
		pomp_code_enter(CONSTRUCT_BARRIER, where);
}

/*
 * Returns when the thread leaves its barrier: together with its team, even if the runtime reports
 * that late.
 */
static uint64_t time_of_leaving(struct pomp_thread *thread)
{
	uint64_t joined = thread->member != NULL ? load_relaxed(&thread->member->joined) : 0;

	if (joined == 0)
		return pomp_event_time_leaving(thread);
	if (joined > thread->time)
		thread->time = joined;
	return thread->time;
}

void pomp_code_barrier_leave(void)
{
	const struct pomp_frame *frame = pomp_stack_find_role(POMP_ROLE_BARRIER);

	if (frame == NULL) {
		pomp_code_leave(CONSTRUCT_BARRIER);
		return;
	}
	struct pomp_thread *thread = pomp_event_begin();
	if (thread == NULL)
		return;
	struct pomp_accumulator *sums = frame->accumulator;
	bool of_team = sums->kind == CONSTRUCT_KIND_PARALLEL;
	uint64_t now = of_team ? time_of_leaving(thread) : pomp_event_time_leaving(thread);
	frame = pomp_frame_find(thread, sums, POMP_ROLE_BARRIER, now);
	if (frame != NULL) {
		pomp_frame_close_simple(thread, sums, POMP_ROLE_BARRIER, now);
		pomp_event_log(thread, TRACE_LOG_BARRIER_LEAVE, 0, sums->region->id, now, 0, 0);
		if (of_team)
			pomp_team_depart(thread, now);
		else
			pomp_event_close_construct(thread, now);
	}
	pomp_event_end_logged(thread);
}

void pomp_code_group_wait_enter(void)
{
	enter_now();
	const struct pomp_frame *frame = pomp_stack_find(POMP_ROLE_CONSTRUCT, CONSTRUCT_TASKGROUP);

	if (frame != NULL)
		pomp_event_enter(
		    frame->accumulator->region->descriptor, POMP_ROLE_WAIT, TRACE_LOG_WAIT_ENTER);
}

void pomp_code_group_wait_leave(void)
{
	const struct pomp_frame *frame = pomp_stack_find(POMP_ROLE_WAIT, CONSTRUCT_TASKGROUP);

	if (frame != NULL)
		pomp_event_leave(
		    frame->accumulator->region->descriptor, POMP_ROLE_WAIT, TRACE_LOG_WAIT_LEAVE);
}
