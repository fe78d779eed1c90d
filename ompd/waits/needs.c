/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a wait needs, by the kind of wait, if that is a holder, members of the team or an iteration
 * of a loop. A stopped process is taken as it is: a thread that has arrived but has not recorded
 * its own wait yet is running. It counts as one that has not arrived, and no task is reported as
 * stuck because of it.
 */
#include "walk.h"
#include "waits.h"

#include <stddef.h>

static ompd_addr_t implicit_of(struct wait_graph *graph, ompd_addr_t team, uint64_t number)
{
	ompd_addr_t member = walk_member(graph->reader, team, number);

	return field_address(graph->reader, member, FIELD_rt_member_implicit);
}

/* A member's implicit task must act. A late worker may not have begun it when the region begins. */
static void need_member(struct wait_graph *graph, const struct wait *wait, ompd_addr_t implicit)
{
	const struct begun_task *begun = stacks_find(&graph->stacks, implicit);

	if (begun == NULL)
		waits_need(graph, wait, ompdx_need_unknown, implicit);
	else
		waits_need_task(graph, wait->shared, implicit,
		    begun->above == 0 ? ompdx_task_running : ompdx_task_suspended);
}

static void holder(struct wait_graph *graph, struct wait *wait)
{
	struct reader *reader = graph->reader;
	uint64_t word = read_field(reader, wait->reported.object, FIELD_rt_mutex_state);
	uint64_t number = word >> RT_DEBUG_MUTEX_HOLDER_SHIFT;

	if (word != 0 && ((word & RT_DEBUG_MUTEX_HELD) == 0 || number >= RT_DEBUG_MUTEX_HOLDERS)) {
		waits_need(graph, wait, ompdx_need_no_lock, 0);
		return;
	}
	if (number == RT_DEBUG_MUTEX_LOADER)
		number = read_field(
		    reader, reader->space->roots[ROOT_rt_threads], FIELD_rt_thread_list_loader);
	wait->reported.is_over = word == 0;
	wait->reported.is_unnamed =
	    wait->reported.object == reader->space->roots[ROOT_rt_unnamed_critical];
	if (word != 0)
		waits_need(
		    graph, wait, number != 0 ? ompdx_need_thread : ompdx_need_unknown, number);
}

/* Finds an earlier wait for the same: thousands of threads at one barrier share their needs. */
static bool shares(struct wait_graph *graph, struct wait *wait)
{
	for (ompd_size_t i = 0; i < wait->shared; i++) {
		const struct wait *earlier = waits_at(graph, i);
		if (earlier->reported.object == wait->reported.object &&
		    earlier->until == wait->until &&
		    earlier->reported.state == wait->reported.state &&
		    earlier->is_idle == wait->is_idle && earlier->shared == i) {
			wait->shared = i;
			wait->reported.is_over = earlier->reported.is_over;
			return true;
		}
	}
	return false;
}

/*
 * Returns whether the task waits there. A wait that a signal handler has interrupted counts too:
 * the member has arrived, whatever its handler does.
 */
static bool waits_at_barrier(struct wait_graph *graph, ompd_addr_t task, const struct wait *wait)
{
	const struct wait *other = waits_find(graph, task);

	while (other != NULL &&
	       (other->reported.object != wait->reported.object || other->until != wait->until))
		other = waits_interrupted(graph, other);
	return other != NULL;
}

/* Returns whether the member is at its region's end. */
static bool is_idle(struct wait_graph *graph, ompd_addr_t implicit)
{
	const struct wait *other = waits_find(graph, implicit);

	while (other != NULL && !other->is_idle)
		other = waits_interrupted(graph, other);
	return other != NULL;
}

/*
 * Finds the members that are missing at the barrier: all except those that wait at it or are past
 * it.
 */
static void missing_members(struct wait_graph *graph, const struct wait *wait)
{
	struct reader *reader = graph->reader;
	uint64_t size = read_field(reader, wait->reported.region, FIELD_rt_team_size);

	for (uint64_t number = 0; number < size && reader->rc == ompd_rc_ok; number++) {
		ompd_addr_t implicit = implicit_of(graph, wait->reported.region, number);
		if (is_idle(graph, implicit))
			waits_need(graph, wait, ompdx_need_left, implicit);
		else if (!waits_at_barrier(graph, implicit, wait))
			need_member(graph, wait, implicit);
	}
}

static void other_of_two(struct wait_graph *graph, struct wait *wait)
{
	struct reader *reader = graph->reader;
	ompd_addr_t first = walk_member(reader, wait->reported.region, 0), implicit;
	ompd_addr_t arrived =
	    field_address(reader, wait->reported.region, FIELD_rt_team_pair_arrived);
	/*
	 * Finds the waiting member by its thread, not by its implicit task: a program may wait at a
	 * barrier in an explicit task, although that is not allowed.
	 */
	uint64_t number =
	    read_pointer(reader, first, FIELD_rt_member_thread) != wait->begun->thread;

	implicit = implicit_of(graph, wait->reported.region, 1 - number);
	if (read_number(reader, arrived + 8 * (1 - number), 8) >= wait->until)
		wait->reported.is_over = 1;
	else if (is_idle(graph, implicit))
		waits_need(graph, wait, ompdx_need_left, implicit);
	else
		need_member(graph, wait, implicit);
}

/* The wait for the team's tasks, which precedes the barrier, does not need members. */
static void barrier(struct wait_graph *graph, struct wait *wait)
{
	struct reader *reader = graph->reader;
	ompd_addr_t team = wait->reported.region;

	if (wait->reported.object == team)
		return;
	if (read_field(reader, team, FIELD_rt_team_cancelled) != 0) {
		wait->reported.is_over = 1;
	} else if (read_field(reader, team, FIELD_rt_team_size) == 2) {
		other_of_two(graph, wait);
	} else if (read_field(reader, wait->reported.object, FIELD_rt_barrier_generation) !=
		   wait->until) {
		wait->reported.is_over = 1;
	} else if (!shares(graph, wait)) {
		missing_members(graph, wait);
	}
}

/*
 * A worker that is idle needs the forking thread to continue. Any other member needs all that are
 * neither idle nor at the same barrier: the forking thread, and with a tool each member, waits
 * there.
 */
static void region_end(struct wait_graph *graph, struct wait *wait)
{
	struct reader *reader = graph->reader;
	ompd_addr_t team = wait->reported.region;
	uint64_t size = read_field(reader, team, FIELD_rt_team_size);
	ompd_addr_t region = field_address(reader, team, FIELD_rt_team_region);

	if (shares(graph, wait))
		return;
	if (wait->is_idle) {
		need_member(graph, wait, implicit_of(graph, team, 0));
		return;
	}
	if (wait->reported.object != region &&
	    read_field(reader, wait->reported.object, FIELD_rt_barrier_generation) != wait->until)
		wait->reported.is_over = 1;
	for (uint64_t number = 0;
	     number < size && !wait->reported.is_over && reader->rc == ompd_rc_ok; number++) {
		ompd_addr_t implicit = implicit_of(graph, team, number);
		if (!is_idle(graph, implicit) && !waits_at_barrier(graph, implicit, wait))
			need_member(graph, wait, implicit);
	}
}

/* Returns the member that a static schedule assigns the iteration to. */
static uint64_t static_owner(
    struct wait_graph *graph, ompd_addr_t loop, uint64_t size, uint64_t iteration)
{
	struct reader *reader = graph->reader;
	ompd_addr_t args = field_address(reader, loop, FIELD_rt_loop_args);
	uint64_t count = read_field(reader, args, FIELD_rt_loop_args_count);
	uint64_t chunk = read_field(reader, args, FIELD_rt_loop_args_chunk), each, rest;

	reader_expect(reader, size != 0 && iteration < count);
	if (reader->rc != ompd_rc_ok || size == 0)
		return 0;
	if (chunk != 0)
		return iteration / chunk % size;
	each = count / size;
	rest = count % size;
	return iteration < rest * (each + 1) ? iteration / (each + 1)
					     : rest + (iteration - rest * (each + 1)) / each;
}

/*
 * Returns whether the member has done the iteration of a static loop: it has left the loop, or has
 * begun a later chunk.
 */
static bool is_past(
    struct wait_graph *graph, ompd_addr_t loop, ompd_addr_t waiting_loop, uint64_t iteration)
{
	struct reader *reader = graph->reader;
	uint32_t serial = (uint32_t)read_field(reader, loop, FIELD_rt_loop_serial);
	uint32_t own = (uint32_t)read_field(reader, waiting_loop, FIELD_rt_loop_serial);
	ompd_addr_t share = read_pointer(reader, waiting_loop, FIELD_rt_loop_share);

	if (serial != own)
		return (int32_t)(serial - own) > 0;
	return read_pointer(reader, loop, FIELD_rt_loop_share) != share ||
	       read_field(reader, loop, FIELD_rt_loop_low) > iteration;
}

/* Reads the current chunks of a team's members, and keeps them for other waits in the same team. */
static void read_chunks(struct wait_graph *graph, ompd_addr_t team)
{
	struct reader *reader = graph->reader;
	uint64_t size = read_field(reader, team, FIELD_rt_team_size);

	graph->chunks.count = 0;
	graph->chunks_team = team;
	for (uint64_t number = 0; number < size && reader->rc == ompd_rc_ok; number++) {
		ompd_addr_t member = walk_member(reader, team, number);
		ompd_addr_t loop = field_address(reader, member, FIELD_rt_member_loop);
		struct chunk *chunk = list_add(reader, &graph->chunks, sizeof(*chunk));
		if (chunk != NULL)
			*chunk = (struct chunk){read_pointer(reader, loop, FIELD_rt_loop_share),
			    field_address(reader, member, FIELD_rt_member_implicit),
			    read_field(reader, loop, FIELD_rt_loop_low),
			    read_field(reader, loop, FIELD_rt_loop_high)};
	}
}

/*
 * dynamic, guided: returns the member whose chunk contains the iteration; 0: no member has it yet,
 * or it is unknown which.
 */
static ompd_addr_t dynamic_owner(
    struct wait_graph *graph, ompd_addr_t team, ompd_addr_t waiting_loop, uint64_t iteration)
{
	ompd_addr_t share = read_pointer(graph->reader, waiting_loop, FIELD_rt_loop_share);
	const struct chunk *chunks;

	if (graph->chunks_team != team)
		read_chunks(graph, team);
	chunks = graph->chunks.items;
	for (ompd_size_t i = 0; i < graph->chunks.count; i++)
		if (chunks[i].share == share && chunks[i].low <= iteration &&
		    chunks[i].high > iteration)
			return chunks[i].implicit;
	return 0;
}

/*
 * nonmonotonic: each member has a share of the chunks, except for the last chunk, and counts the
 * chunks that were taken.
 */
static bool is_share_taken(
    struct wait_graph *graph, ompd_addr_t team, ompd_addr_t loop, uint64_t chunk)
{
	struct reader *reader = graph->reader;
	uint64_t size = read_field(reader, team, FIELD_rt_team_size);
	ompd_addr_t member, taken;

	reader_expect(reader, size != 0);
	if (reader->rc != ompd_rc_ok || size == 0)
		return false;
	member = walk_member(reader, team, chunk % size);
	taken = field_address(reader, member, FIELD_rt_member_taken);
	return chunk / size <
	       read_number(reader, taken + 8 * read_field(reader, loop, FIELD_rt_loop_slot), 8);
}

/*
 * dynamic, guided: returns whether a thread has taken the iteration. `next_iteration` counts
 * chunks, or iterations; in a loop with shares, only the last chunk.
 */
static bool is_taken(
    struct wait_graph *graph, ompd_addr_t team, ompd_addr_t loop, uint64_t iteration)
{
	struct reader *reader = graph->reader;
	ompd_addr_t share = read_pointer(reader, loop, FIELD_rt_loop_share);
	ompd_addr_t args = field_address(reader, loop, FIELD_rt_loop_args);
	uint64_t next = read_field(reader, share, FIELD_rt_workshare_next_iteration);
	uint64_t chunk = read_field(reader, args, FIELD_rt_loop_args_chunk);

	if (read_field(reader, args, FIELD_rt_loop_args_kind) != RT_DEBUG_LOOP_DYNAMIC)
		return iteration < next;
	reader_expect(reader, chunk != 0);
	if (reader->rc != ompd_rc_ok || chunk == 0)
		return false;
	if (read_field(reader, loop, FIELD_rt_loop_is_stealing) == 0)
		return iteration / chunk < next;
	if (iteration / chunk == (read_field(reader, args, FIELD_rt_loop_args_count) - 1) / chunk)
		return next != 0;
	return is_share_taken(graph, team, loop, iteration / chunk);
}

/*
 * Finds the need for an iteration of a dynamic or guided loop. A sink names an earlier iteration
 * than the waiting one, so a thread that waits for an iteration in its own chunk has passed it.
 */
static void need_dynamic(struct wait_graph *graph, struct wait *wait, ompd_addr_t loop)
{
	ompd_addr_t team = wait->reported.region;
	ompd_addr_t owner = dynamic_owner(graph, team, loop, wait->reported.iteration);

	if (owner == wait->reported.task && wait->reported.is_sink)
		waits_need(graph, wait, ompdx_need_left, owner);
	else if (owner != 0)
		need_member(graph, wait, owner);
	else if (wait->reported.is_sink && is_taken(graph, team, loop, wait->reported.iteration))
		waits_need(graph, wait, ompdx_need_passed, team);
	else
		waits_need(graph, wait, ompdx_need_region, team);
}

static void iteration(struct wait_graph *graph, struct wait *wait)
{
	struct reader *reader = graph->reader;
	ompd_addr_t team = wait->reported.region, owner, owner_loop;
	ompd_addr_t member = read_pointer(reader, wait->begun->thread, FIELD_rt_thread_member);
	ompd_addr_t loop = field_address(reader, member, FIELD_rt_member_loop);
	ompd_addr_t args = field_address(reader, loop, FIELD_rt_loop_args);
	ompd_addr_t share = read_pointer(reader, loop, FIELD_rt_loop_share);
	uint64_t word = read_number(reader, wait->reported.object, 8), size, first;

	wait->reported.is_sink =
	    wait->reported.object != field_address(reader, share, FIELD_rt_workshare_turn);
	wait->reported.is_over =
	    word >= wait->until || read_field(reader, team, FIELD_rt_team_cancelled) != 0;
	if (reader->rc != ompd_rc_ok || wait->reported.is_over)
		return;
	if (!wait->reported.is_sink)
		wait->reported.iteration = word;
	first = wait->reported.iteration;
	if (read_field(reader, args, FIELD_rt_loop_args_kind) != RT_DEBUG_LOOP_STATIC) {
		need_dynamic(graph, wait, loop);
		return;
	}
	size = read_field(reader, team, FIELD_rt_team_size);
	member = walk_member(reader, team, static_owner(graph, loop, size, first));
	owner = field_address(reader, member, FIELD_rt_member_implicit);
	owner_loop = field_address(reader, member, FIELD_rt_member_loop);
	if (is_past(graph, owner_loop, loop, first) ||
	    (owner == wait->reported.task && wait->reported.is_sink))
		waits_need(graph, wait, ompdx_need_left, owner);
	else
		need_member(graph, wait, owner);
}

void needs_of_wait(struct wait_graph *graph, struct wait *wait)
{
	switch (wait->reported.state) {
	case ompt_state_wait_lock:
	case ompt_state_wait_mutex:
	case ompt_state_wait_critical:
	case ompt_state_wait_atomic:
		holder(graph, wait);
		return;
	case ompt_state_wait_barrier:
		barrier(graph, wait);
		return;
	case ompt_state_wait_barrier_implicit_parallel:
		region_end(graph, wait);
		return;
	case ompt_state_wait_ordered:
		iteration(graph, wait);
		return;
	default: /* waits for tasks */
		return;
	}
}
