/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entering and leaving regions: the stack of frames of the task that a thread executes, and what a
 * frame adds to its construct when it is left. A leave that does not match the top of the stack is
 * counted and corrected: if its region has a frame below, the frames above are closed with it,
 * otherwise the leave is ignored.
 */
#include "memory.h"
#include "pass.h"

/* All that the thread waited in teams, including MPI, and for a processor. */
static uint64_t waited(const struct thread *thread)
{
	return analysis_waits(thread) + thread->mpi_in_team + analysis_away(thread);
}

struct visited *analysis_visit(struct thread *thread, uint32_t construct)
{
	uint64_t index = map_find(&thread->visited_of, construct);

	if (index == MAP_NONE) {
		index = thread->visited_count++;
		MEMORY_GROW(thread->visited, thread->visited_room, thread->visited_count);
		thread->visited[index].construct = construct;
		memory_map_set(&thread->visited_of, construct, index);
	}
	return &thread->visited[index];
}

static void enter_whole(struct analysis *analysis, struct thread *thread, struct frame *frame)
{
	enum construct_kind kind = analysis->constructs[frame->part.construct].kind;
	struct visited *visited = analysis_visit(thread, frame->part.construct);

	frame->visited = (uint32_t)(visited - thread->visited);
	if (visited->depth++ == 0)
		visited->open_since = frame->entered_at;
	if (construct_has_entry(kind))
		frame->enter_wait = ENTER_WAIT_OPEN;
	if (kind == CONSTRUCT_KIND_PARALLEL && thread->stay_count > 0) {
		struct team *team = thread->stays[thread->stay_count - 1].team;

		team->construct = frame->part.construct;
		analysis_path_name_team(analysis, team);
	}
}

/*
 * The MPI call that the frame is, or lies in: calls that MPI makes itself belong to the program's
 * call.
 */
static struct mpi_visit *find_mpi_visit(
    struct analysis *analysis, uint32_t thread, struct region_part part, const struct frame *outer)
{
	if (outer && outer->mpi)
		return outer->mpi;
	if (!part.is_mpi)
		return NULL;
	return mpi_enter(
	    analysis->mpi, &(struct mpi_enter){
			       .location = thread,
			       .call = part.construct,
			       .caller = analysis_construct_of(&analysis->threads[thread]),
			       .time = analysis->real_time,
			       .counts = analysis_counts_thread(analysis, thread),
			       .in_team = analysis->threads[thread].stay_count > 0,
			   });
}

/*
 * Sets the fields that do not depend on the enter event. This and analysis_enter() together set all
 * fields: clearing the whole frame first would take as long as the rest of an enter.
 */
static void start_frame(
    struct frame *frame, uint32_t region, struct region_part part, uint32_t innermost)
{
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): MEMORY_GROW() made room */
	frame->region = region;
	frame->innermost = innermost;
	frame->part = part;
	frame->wait = part.wait;
	frame->nested = frame->enter_wait = 0;
	frame->barriers = frame->barrier_work = 0;
	frame->body = frame->body_work = 0;
	frame->barrier_wait = 0;
	frame->barrier_cause = 0;
}

void analysis_enter(struct analysis *analysis, uint32_t thread, uint32_t region, uint64_t now)
{
	struct thread *state = &analysis->threads[thread];
	struct task *task = state->current;
	struct region_part part = {NO_CONSTRUCT, PART_NONE, false, ACTIVITY_NONE};
	struct frame *outer = analysis_top_frame(state);
	uint32_t innermost = outer ? outer->innermost : NO_CONSTRUCT;
	struct mpi_visit *mpi;
	struct frame *frame;

	if (region != ARCHIVE_NO_INDEX)
		part = analysis->parts[region];
	if (outer && part.part == PART_BODY) {
		analysis_path_enter_body(analysis, thread, outer, now);
		analysis_end_enter_wait(analysis, thread, outer, now);
	}
	/* These parts belong to the construct in which they happen. */
	if (outer &&
	    (part.part == PART_BODY || part.part == PART_BARRIER || part.part == PART_WAIT))
		part.construct = outer->part.construct;
	mpi = find_mpi_visit(analysis, thread, part, outer);
	if (part.construct != NO_CONSTRUCT)
		innermost = part.construct;
	if (task->depth == task->room)
		MEMORY_GROW(task->frames, task->room, task->depth + 1);
	frame = &task->frames[task->depth++];
	start_frame(frame, region, part, innermost);
	frame->entered_at = now;
	frame->entered_real = analysis->real_time;
	frame->entered_by = thread;
	frame->mpi = mpi;
	frame->entered = analysis_task_clock(task, now);
	frame->waited = waited(state);
	if (frame->wait == ACTIVITY_LOCK)
		analysis_begin_lock_wait(analysis, thread);
	if (frame->wait == ACTIVITY_BARRIER)
		analysis_path_arrive(analysis, thread, frame, now);
	if (part.part == PART_WHOLE)
		enter_whole(analysis, state, frame);
	if (frame->wait == ACTIVITY_BARRIER)
		analysis_arrive(analysis, thread, frame);
	if (analysis->metric_count > 0)
		analysis_metrics_enter(analysis, thread);
}

/* What the thread waited within the frame; 0, because unknown, if another thread entered it. */
static uint64_t waits_within(
    const struct analysis *analysis, uint32_t thread, const struct frame *frame)
{
	return frame->entered_by == thread ? waited(&analysis->threads[thread]) - frame->waited : 0;
}

/* Whether the frame that is left now overlaps the time that counts and lasted long enough. */
static bool counts_time(const struct analysis *analysis, const struct frame *frame)
{
	return frame->entered_real <= analysis->clip_to &&
	       analysis->real_time >= analysis->clip_from &&
	       analysis->real_time - frame->entered_real >= analysis->shortest;
}

/* A part of a construct: its time belongs to the construct in which it happened. */
static void count_part(struct analysis *analysis, uint32_t thread, const struct frame *frame,
    struct frame *outer, uint64_t run, uint64_t duration)
{
	struct construct *construct = frame->part.construct == NO_CONSTRUCT
					  ? NULL
					  : &analysis->constructs[frame->part.construct];

	switch (frame->part.part) {
	case PART_BODY:
		if (outer) {
			outer->body += duration;
			outer->body_work += duration - waits_within(analysis, thread, frame);
			outer->barrier_wait += frame->barrier_wait;
		}
		break;
	case PART_BARRIER:
	case PART_WAIT:
		if (construct && outer) {
			outer->barrier_wait += run - frame->nested;
			construct->has_barrier_wait = true;
			outer->barriers += duration;
			outer->barrier_work += duration - waits_within(analysis, thread, frame);
		}
		break;
	case PART_CREATE:
		if (construct && counts_time(analysis, frame) &&
		    analysis_counts_thread(analysis, thread)) {
			construct->created++;
			construct->create_time += run - frame->nested;
		}
		break;
	default:
		break;
	}
}

/*
 * Compares threads by their work: a thread that waits in a body is not slow. Chosen threads are
 * compared with their whole team.
 */
static void compare_work(struct analysis *analysis, uint32_t thread, uint32_t index, uint64_t work)
{
	enum construct_kind kind = analysis->constructs[index].kind;

	if (construct_is_shared_work(kind))
		analysis_count_execution(analysis, thread, index, work);
	if (kind == CONSTRUCT_KIND_PARALLEL)
		analysis_count_parallel(analysis, thread, work);
}

static void count_body(struct analysis *analysis, uint32_t thread, uint32_t index,
    struct visited *visited, uint64_t body, uint64_t work)
{
	analysis->constructs[index].has_body = true;
	visited->body += body;
	visited->work += work;
	compare_work(analysis, thread, index, work);
}

/* The work in the construct's body during a visit of that duration. */
static uint64_t work_of(
    const struct analysis *analysis, uint32_t thread, const struct frame *frame, uint64_t duration)
{
	uint64_t waits = frame->part.is_mpi ? 0 : waits_within(analysis, thread, frame);

	return construct_has_block(analysis->constructs[frame->part.construct].kind)
		   ? frame->body_work
		   : duration - frame->barrier_work - waits;
}

static void count_task(struct construct *construct, struct visited *visited, uint64_t run)
{
	visited->time += run;
	if (!construct->has_body || run < construct->task_min)
		construct->task_min = run;
	if (run > construct->task_max)
		construct->task_max = run;
}

/*
 * A construct is left. Its time is wall time, so that it contains the tasks that the thread
 * executed in it; a task's own time is by its clock. The body excludes the construct's own barrier
 * and entry.
 */
static void count_whole(struct analysis *analysis, uint32_t thread, const struct frame *frame,
    uint64_t run, uint64_t now)
{
	struct thread *state = &analysis->threads[thread];
	struct construct *construct = &analysis->constructs[frame->part.construct];
	bool is_own = frame->entered_by == thread;
	struct visited *visited =
	    is_own ? &state->visited[frame->visited] : analysis_visit(state, frame->part.construct);
	uint64_t own_wait = 0, duration = now - frame->entered_at;
	bool in_time = counts_time(analysis, frame);
	bool counted = in_time && analysis_counts_thread(analysis, thread);
	struct visited *entered =
	    is_own ? visited : &analysis->threads[frame->entered_by].visited[frame->visited];

	entered->depth--;
	if (analysis->metric_count > 0)
		analysis_metrics_leave(analysis, thread, frame, counted);
	if (in_time && !counted)
		compare_work(analysis, thread, frame->part.construct,
		    work_of(analysis, thread, frame, duration));
	if (!counted)
		return;
	visited->visits++;
	visited->barrier_wait += frame->barrier_wait;
	if (construct->kind == CONSTRUCT_KIND_TASK)
		count_task(construct, visited, run);
	else if (entered->depth == 0)
		entered->time += now - entered->open_since;
	if (construct_is_wait(construct->kind)) {
		own_wait = run - frame->nested;
		visited->barrier_wait += own_wait;
		construct->has_barrier_wait = true;
	} else if (construct_has_entry(construct->kind) && frame->enter_wait != ENTER_WAIT_OPEN) {
		own_wait = frame->enter_wait;
		visited->enter_wait += own_wait;
		construct->has_enter_wait = true;
	}
	visited->self += run - frame->nested - own_wait;
	if (construct->kind == CONSTRUCT_KIND_TASK)
		count_body(analysis, thread, frame->part.construct, visited, run, run);
	else if (!construct_is_wait(construct->kind))
		count_body(analysis, thread, frame->part.construct, visited,
		    construct_has_block(construct->kind) ? frame->body : duration - frame->barriers,
		    work_of(analysis, thread, frame, duration));
}

/* Removes the top frame and counts it. */
static void pop(struct analysis *analysis, uint32_t thread, uint64_t now)
{
	struct task *task = analysis->threads[thread].current;
	struct frame *frame = &task->frames[--task->depth];
	struct frame *outer = task->depth ? frame - 1 : NULL;
	uint64_t run = analysis_task_clock(task, now) - frame->entered;

	if (frame->mpi && !(outer && outer->mpi))
		mpi_leave(analysis->mpi, frame->mpi, analysis->real_time,
		    analysis_path_leave_mpi(analysis, thread, now) ? now : MPI_NO_END);
	if (frame->wait != ACTIVITY_NONE)
		analysis_path_leave(analysis, thread, frame, now);
	if (frame->wait == ACTIVITY_BARRIER)
		analysis_depart(analysis, thread);
	if (frame->wait == ACTIVITY_BARRIER)
		analysis_meet(analysis, thread, frame->part.construct);
	if (frame->part.part == PART_BODY)
		analysis_path_leave_body(analysis, thread, frame, now);
	if (frame->part.part == PART_WHOLE)
		count_whole(analysis, thread, frame, run, now);
	else
		count_part(analysis, thread, frame, outer, run, now - frame->entered_at);
	if (!outer)
		return;
	/*
	 * What happened inside a body is nested in the construct; the body itself is the
	 * construct's own time.
	 */
	outer->nested += frame->part.part == PART_BODY ? frame->nested : run;
}

void analysis_leave(struct analysis *analysis, uint32_t thread, uint32_t region, uint64_t now)
{
	struct task *task = analysis->threads[thread].current;
	size_t at = task->depth;

	while (at > 0 && task->frames[at - 1].region != region)
		at--;
	if (at == 0) {
		analysis->unbalanced++;
		return;
	}
	analysis->unbalanced += task->depth - at;
	while (task->depth >= at)
		pop(analysis, thread, now);
}
