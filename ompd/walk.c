/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks over the runtime's records. Each is bounded twice: by its own rule (a circle is noticed,
 * depths have a limit) and by the call's budget of reads.
 */
#include "walk.h"

static ompd_addr_t check_circle(struct thread_walk *walk)
{
	reader_expect(walk->reader, walk->thread != walk->mark || walk->thread == 0);
	if (++walk->steps == walk->limit) {
		walk->mark = walk->thread;
		walk->limit *= 2;
		walk->steps = 0;
	}
	return walk->reader->rc == ompd_rc_ok ? walk->thread : 0;
}

ompd_addr_t walk_threads(struct thread_walk *walk, struct reader *reader)
{
	*walk = (struct thread_walk){.reader = reader, .limit = 2};
	walk->thread =
	    read_pointer(reader, reader->space->roots[ROOT_rt_threads], FIELD_rt_thread_list_first);
	return check_circle(walk);
}

ompd_addr_t walk_next_thread(struct thread_walk *walk)
{
	walk->thread = read_pointer(walk->reader, walk->thread, FIELD_rt_thread_listed_next);
	return check_circle(walk);
}

ompd_addr_t walk_member(struct reader *reader, ompd_addr_t team, uint64_t number)
{
	ompd_addr_t roster = read_pointer(reader, team, FIELD_rt_team_roster);
	uint64_t capacity = read_field(reader, roster, FIELD_rt_roster_capacity);
	uint32_t width = reader->space->sizes.sizeof_pointer;
	ompd_addr_t slots, member;

	reader_expect(reader, number < capacity);
	slots = field_address(reader, roster, FIELD_rt_roster_members);
	reader_expect(reader, slots + number * width >= slots);
	member = read_number(reader, slots + number * width, width);
	reader_expect(reader, read_field(reader, member, FIELD_rt_member_number) == number);
	reader_expect(reader, read_pointer(reader, member, FIELD_rt_member_team) == team);
	return reader->rc == ompd_rc_ok ? member : 0;
}

bool walk_leads_to(
    struct reader *reader, ompd_addr_t from, ompd_addr_t to, enum target_field_id next)
{
	for (uint32_t depth = 0; from != 0 && reader->rc == ompd_rc_ok; depth++) {
		if (from == to)
			return true;
		reader_expect(reader, depth < WALK_DEPTH);
		from = read_pointer(reader, from, next);
	}
	return false;
}

bool walk_team_is_active(struct reader *reader, ompd_addr_t team)
{
	ompd_addr_t first = walk_member(reader, team, 0);
	ompd_addr_t thread = read_pointer(reader, first, FIELD_rt_member_thread);

	if (thread == 0)
		return false;
	return walk_leads_to(
	    reader, read_pointer(reader, thread, FIELD_rt_thread_team), team, FIELD_rt_team_parent);
}

/*
 * A late worker notices the region only when it wakes up. The region's word contains its size in
 * the upper half; size 0 ends the workers, which also see it while they end.
 */
static bool has_begun(struct reader *reader, ompd_addr_t thread, ompd_addr_t team)
{
	ompd_addr_t member = read_pointer(reader, thread, FIELD_rt_thread_member);
	uint64_t region = read_field(reader, team, FIELD_rt_team_region);

	return region >> 32 != 0 && read_field(reader, member, FIELD_rt_member_seen) == region;
}

/* A worker records that it is idle before it arrives at its region's end. */
static bool is_idle(struct reader *reader, ompd_addr_t thread)
{
	ompd_addr_t note = field_address(reader, thread, FIELD_rt_thread_waiting);

	return read_field(reader, note, FIELD_rt_waiting_state) == ompt_state_idle;
}

/*
 * A worker's record also refers to its team between regions, and in a region that needs fewer
 * threads than the team has. A worker may begin a region before the thread that forked it is in the
 * region. Then only the fact that the worker is not idle shows that the region it has seen is not
 * over.
 */
ompd_addr_t walk_current_team(struct reader *reader, ompd_addr_t thread)
{
	ompd_addr_t team = read_pointer(reader, thread, FIELD_rt_thread_team);
	uint64_t number = read_field(reader, thread, FIELD_rt_thread_number);

	if (team != 0 && number != 0 &&
	    (number >= read_field(reader, team, FIELD_rt_team_size) ||
		!has_begun(reader, thread, team) ||
		(is_idle(reader, thread) && !walk_team_is_active(reader, team))))
		team = 0;
	return reader->rc == ompd_rc_ok ? team : 0;
}

bool walk_task_is_implicit(struct reader *reader, ompd_addr_t task)
{
	return read_field(reader, task, FIELD_rt_task_flags) & RT_DEBUG_TASK_IMPLICIT;
}

ompd_addr_t walk_member_of_implicit(struct reader *reader, ompd_addr_t task)
{
	const struct target_field *place = &reader->space->fields[FIELD_rt_member_implicit];

	reader_expect(reader, place->size != 0 && task > place->offset);
	return reader->rc == ompd_rc_ok ? task - place->offset : 0;
}

bool walk_is_range(struct reader *reader, ompd_addr_t task)
{
	return !walk_task_is_implicit(reader, task) &&
	       read_pointer(reader, task, FIELD_rt_task_fn) ==
		   reader->space->roots[ROOT_rt_taskloop_run_range];
}

uint64_t walk_range(struct reader *reader, ompd_addr_t task)
{
	ompd_addr_t range;

	if (!walk_is_range(reader, task))
		return 0;
	range = read_pointer(reader, task, FIELD_rt_task_data);
	return read_field(reader, range, FIELD_rt_taskloop_range_last) -
	       read_field(reader, range, FIELD_rt_taskloop_range_first);
}

/* Depths decrease by one, so a circular chain ends. */
ompd_addr_t walk_generating(struct reader *reader, ompd_addr_t task)
{
	ompd_addr_t parent;

	do {
		parent = read_pointer(reader, task, FIELD_rt_task_parent);
		if (reader->rc == ompd_rc_ok && parent != 0)
			reader_expect(reader, read_field(reader, parent, FIELD_rt_task_depth) + 1 ==
						  read_field(reader, task, FIELD_rt_task_depth));
		task = parent;
	} while (reader->rc == ompd_rc_ok && parent != 0 && walk_is_range(reader, parent));
	return reader->rc == ompd_rc_ok ? parent : 0;
}

/*
 * Returns the program's code of an explicit task; with clang, a function of the runtime calls it.
 */
static ompd_addr_t task_code(struct reader *reader, ompd_addr_t task)
{
	ompd_addr_t function = read_pointer(reader, task, FIELD_rt_task_fn);

	if (function == 0 || function != reader->space->roots[ROOT_kmp_task_run])
		return function;
	task = read_pointer(reader, task, FIELD_rt_task_data) +
	       reader->space->fields[STRUCT_kmp_task_head].size;
	return read_pointer(reader, task, FIELD_kmp_task_routine);
}

static ompd_addr_t request_code(struct reader *reader, ompd_addr_t request)
{
	ompd_addr_t code = read_pointer(reader, request, FIELD_rt_region_request_code);

	return code != 0 ? code : read_pointer(reader, request, FIELD_rt_region_request_fn);
}

ompd_addr_t walk_function(struct reader *reader, ompd_addr_t task)
{
	ompd_addr_t team, request;

	if (walk_is_range(reader, task))
		return read_pointer(reader, read_pointer(reader, task, FIELD_rt_task_data),
		    FIELD_rt_taskloop_range_fn);
	if (!walk_task_is_implicit(reader, task))
		return task_code(reader, task);
	team = read_pointer(reader, task, FIELD_rt_task_team);
	if (reader->rc != ompd_rc_ok || read_pointer(reader, team, FIELD_rt_team_parent) == 0)
		return 0;
	request = read_pointer(reader, team, FIELD_rt_team_request);
	return request != 0 ? request_code(reader, request)
			    : read_pointer(reader, team, FIELD_rt_team_fn);
}

struct suspension walk_below(struct reader *reader, ompd_addr_t task)
{
	struct suspension below = {0, 0};
	ompd_addr_t member, team, thread;

	if (!walk_task_is_implicit(reader, task)) {
		below.frame = read_pointer(reader, task, FIELD_rt_task_frame);
		if (below.frame != 0) /* else it is queued, and `next` belongs to the queue */
			below.task = read_pointer(reader, task,
			    read_field(reader, task, FIELD_rt_task_flags) & RT_DEBUG_TASK_COUNTED
				? FIELD_rt_task_next
				: FIELD_rt_task_parent);
		return below;
	}
	member = walk_member_of_implicit(reader, task);
	team = read_pointer(reader, member, FIELD_rt_member_team);
	if (reader->rc != ompd_rc_ok || read_pointer(reader, team, FIELD_rt_team_parent) == 0)
		return below;
	if (read_field(reader, member, FIELD_rt_member_number) == 0) {
		below.task = read_pointer(reader, team, FIELD_rt_team_parent_task);
		below.frame = read_pointer(reader, team, FIELD_rt_team_request);
	} else {
		thread = read_pointer(reader, member, FIELD_rt_member_thread);
		below.frame = read_pointer(reader, thread, FIELD_rt_thread_frame);
	}
	return below;
}

/*
 * Returns whether the thread executes or has suspended the task; *number is the thread's number in
 * the task's team.
 */
static bool has_task(
    struct reader *reader, ompd_addr_t thread, ompd_addr_t wanted, uint64_t *number)
{
	ompd_addr_t team = read_pointer(reader, wanted, FIELD_rt_task_team);
	ompd_addr_t task = read_pointer(reader, thread, FIELD_rt_thread_task);
	bool is_there = false;

	for (uint32_t depth = 0; task != 0 && reader->rc == ompd_rc_ok; depth++) {
		reader_expect(reader, depth < WALK_DEPTH);
		is_there |= task == wanted;
		if (is_there && walk_task_is_implicit(reader, task) &&
		    read_pointer(reader, task, FIELD_rt_task_team) == team) {
			*number = read_field(
			    reader, walk_member_of_implicit(reader, task), FIELD_rt_member_number);
			return true;
		}
		task = walk_below(reader, task).task;
	}
	return false;
}

bool walk_awaits_event(struct reader *reader, ompd_addr_t task)
{
	return (read_field(reader, task, FIELD_rt_task_flags) & RT_DEBUG_TASK_DETACHABLE) != 0 &&
	       read_field(reader, task, FIELD_rt_task_detach) == 1;
}

uint64_t walk_task_number(struct reader *reader, ompd_addr_t task)
{
	struct thread_walk walk;
	ompd_addr_t thread;
	uint64_t number = 0;

	if (walk_task_is_implicit(reader, task))
		return read_field(
		    reader, walk_member_of_implicit(reader, task), FIELD_rt_member_number);
	thread = walk_threads(&walk, reader);
	for (; thread != 0; thread = walk_next_thread(&walk))
		if (has_task(reader, thread, task, &number))
			return number;
	if (reader->rc == ompd_rc_ok)
		reader->rc = ompd_rc_unavailable;
	return 0;
}
