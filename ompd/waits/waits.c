/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The extension that reports which thread waits for which: collects the records of all threads'
 * waits, calls other files to find what each wait needs and which cannot end, and returns the list.
 *
 * A thread's own record is in its structure. The records of tasks that it has suspended are on its
 * stack, linked into a chain.
 */
#include "waits.h"

#include <stddef.h>
#include <stdlib.h>

#include "handles.h"
#include "shared/precondition.h"
#include "walk.h"

ompd_size_t waits_count(const struct wait_graph *graph)
{
	return graph->waits.count;
}

struct wait *waits_at(const struct wait_graph *graph, ompd_size_t index)
{
	CHECK(index < graph->waits.count, "the graph has the wait");
	return (struct wait *)graph->waits.items + index;
}

static int by_task(const void *first, const void *second)
{
	const struct wait *one = first, *two = second;

	if (one->reported.task != two->reported.task)
		return one->reported.task > two->reported.task ? 1 : -1;
	return (int)one->reported.interrupted - (int)two->reported.interrupted;
}

struct wait *waits_find(const struct wait_graph *graph, ompd_addr_t task)
{
	struct wait wanted = {.reported = {.task = task}};

	if (graph->waits.count == 0)
		return NULL;
	return bsearch(&wanted, graph->waits.items, graph->waits.count, sizeof(wanted), by_task);
}

struct wait *waits_interrupted(const struct wait_graph *graph, const struct wait *wait)
{
	ompd_size_t next = (ompd_size_t)(wait - waits_at(graph, 0)) + 1;

	return next < graph->waits.count &&
		       waits_at(graph, next)->reported.task == wait->reported.task
		   ? waits_at(graph, next)
		   : NULL;
}

void waits_need(
    struct wait_graph *graph, const struct wait *wait, ompdx_need_kind_t kind, uint64_t id)
{
	struct need *need = list_add(graph->reader, &graph->needs, sizeof(*need));

	if (need == NULL)
		return;
	need->wait = (ompd_size_t)(wait - waits_at(graph, 0));
	need->reported = (ompdx_need_t){.id = id, .kind = kind};
}

void waits_need_task(
    struct wait_graph *graph, ompd_size_t wait, ompd_addr_t task, ompdx_task_state_t state)
{
	struct need *need = list_add(graph->reader, &graph->needs, sizeof(*need));

	if (need != NULL)
		*need = (struct need){wait, {.id = task, .kind = ompdx_need_task, .state = state}};
}

static bool takes_tasks(uint64_t state)
{
	return state == ompt_state_wait_barrier || state == ompt_state_idle ||
	       state == ompt_state_wait_barrier_implicit_parallel ||
	       state == ompt_state_wait_taskwait || state == ompt_state_wait_taskgroup;
}

/*
 * A thread's notes come one after the other, beginning with the innermost: `last` is the previous
 * one.
 */
static struct wait *add_wait(struct wait_graph *graph, ompd_addr_t thread, ompd_addr_t note,
    uint64_t state, const struct wait *last)
{
	struct reader *reader = graph->reader;
	ompd_addr_t task = read_pointer(reader, note, FIELD_rt_waiting_task);
	const struct begun_task *begun = stacks_find(&graph->stacks, task);
	unsigned interrupted =
	    last != NULL && last->reported.task == task ? last->reported.interrupted + 1u : 0;
	struct wait *wait;

	if (begun == NULL || begun->thread != thread || begun->has_ended || interrupted > UINT8_MAX)
		return NULL;
	wait = list_add(reader, &graph->waits, sizeof(*wait));
	if (wait == NULL)
		return NULL;
	wait->begun = begun;
	wait->is_idle = state == ompt_state_idle;
	wait->until = read_field(reader, note, FIELD_rt_waiting_until);
	wait->reported = (ompdx_wait_t){
	    .thread = read_field(reader, thread, FIELD_rt_thread_system_id),
	    .task = task,
	    .region = read_pointer(reader, task, FIELD_rt_task_team),
	    .object = read_pointer(reader, note, FIELD_rt_waiting_id),
	    .frame = walk_below(reader, task).frame,
	    .iteration = read_field(reader, note, FIELD_rt_waiting_iteration),
	    .state = (uint32_t)(wait->is_idle ? ompt_state_wait_barrier_implicit_parallel : state),
	    .above = begun->above,
	    .executes_tasks = takes_tasks(state),
	    .interrupted = (uint8_t)interrupted,
	};
	if (state == ompt_state_wait_taskwait || state == ompt_state_wait_taskgroup)
		wait->descendants = task;
	return wait;
}

/* State 0: the note is being changed, so the thread is running. */
static void read_notes(struct wait_graph *graph, ompd_addr_t thread)
{
	struct reader *reader = graph->reader;
	ompd_addr_t note = field_address(reader, thread, FIELD_rt_thread_waiting);
	const struct wait *last = NULL;

	for (uint32_t depth = 0; note != 0 && reader->rc == ompd_rc_ok; depth++) {
		uint64_t state = read_field(reader, note, FIELD_rt_waiting_state);
		if (state == 0)
			return;
		reader_expect(reader, depth < WALK_DEPTH);
		last = add_wait(graph, thread, note, state, last);
		note = read_pointer(reader, note, FIELD_rt_waiting_outer);
	}
}

static void read_all_notes(struct wait_graph *graph)
{
	struct thread_walk walk;
	ompd_addr_t thread = walk_threads(&walk, graph->reader);

	for (; thread != 0; thread = walk_next_thread(&walk))
		read_notes(graph, thread);
	if (graph->waits.count > 1)
		qsort(graph->waits.items, graph->waits.count, sizeof(struct wait), by_task);
}

static bool is_among(const ompd_addr_t *records, ompd_size_t count, ompd_addr_t record)
{
	for (ompd_size_t i = 0; i < count; i++)
		if (records[i] == record)
			return true;
	return false;
}

/* Marks needs that can never be fulfilled because their threads have ended. */
static void mark_gone(struct wait_graph *graph, const ompdx_observed_t *observed)
{
	struct need *needs = graph->needs.items;
	uint64_t last = 0;
	bool last_has_ended = false;

	for (ompd_size_t i = 0; i < graph->needs.count && graph->reader->rc == ompd_rc_ok; i++) {
		ompdx_need_t *need = &needs[i].reported;
		const struct begun_task *begun = NULL;
		if (need->kind == ompdx_need_thread &&
		    need->id != last) { /* many wait for the same */
			last = need->id;
			last_has_ended = thread_has_ended(graph->reader, last);
		}
		if (need->kind == ompdx_need_task)
			begun = stacks_find(&graph->stacks, need->id);
		if ((need->kind == ompdx_need_thread && last_has_ended) ||
		    (begun != NULL && begun->has_ended))
			need->kind = ompdx_need_ended;
		else if (begun != NULL && observed != NULL &&
			 is_among(observed->jumped, observed->jumped_count, need->id))
			need->kind = ompdx_need_jumped;
	}
}

static int by_wait(const void *first, const void *second)
{
	const struct need *one = first, *two = second;

	return (one->wait > two->wait) - (one->wait < two->wait);
}

/*
 * Puts the needs of each wait next to each other, and stores where they are in the waits that share
 * them.
 */
static void order_needs(struct wait_graph *graph)
{
	const struct need *needs;

	if (graph->needs.count > 1)
		qsort(graph->needs.items, graph->needs.count, sizeof(*needs), by_wait);
	needs = graph->needs.items;
	for (ompd_size_t i = 0; i < graph->needs.count; i++) {
		ompdx_wait_t *reported = &waits_at(graph, needs[i].wait)->reported;
		if (reported->need_count++ == 0)
			reported->first_need = i;
	}
	for (ompd_size_t i = 0; i < waits_count(graph); i++) {
		struct wait *wait = waits_at(graph, i), *first = waits_at(graph, wait->shared);
		wait->reported.first_need = first->reported.first_need;
		wait->reported.need_count = first->reported.need_count;
	}
}

static void find_needs(struct wait_graph *graph, const ompdx_observed_t *observed)
{
	for (ompd_size_t i = 0; i < waits_count(graph) && graph->reader->rc == ompd_rc_ok; i++) {
		waits_at(graph, i)->shared = i;
		needs_of_wait(graph, waits_at(graph, i));
	}
	needs_of_tasks(graph);
	mark_gone(graph, observed);
	if (graph->reader->rc == ompd_rc_ok)
		order_needs(graph);
}

/*
 * Returns the thread whose implicit task this is going to be once it begins it; 0: a lock's holder.
 */
static uint64_t thread_of_member(struct reader *reader, ompd_addr_t implicit)
{
	ompd_addr_t thread;

	if (implicit == 0)
		return 0;
	thread =
	    read_pointer(reader, walk_member_of_implicit(reader, implicit), FIELD_rt_member_thread);
	return thread != 0 ? read_field(reader, thread, FIELD_rt_thread_system_id) : 0;
}

/* Completes a need in the reported list; that is too much work for needs that are not reported. */
static void complete_need(const struct wait_graph *graph, ompdx_need_t *need)
{
	struct reader *reader = graph->reader;
	const struct begun_task *begun;

	if (need->kind == ompdx_need_thread || (need->kind == ompdx_need_ended && need->state == 0))
		need->thread = need->id;
	if (need->thread != 0 || need->kind == ompdx_need_region ||
	    need->kind == ompdx_need_passed || need->kind == ompdx_need_no_lock)
		return;
	if (need->kind == ompdx_need_unknown) {
		need->thread = thread_of_member(reader, need->id);
		return;
	}
	begun = stacks_find(&graph->stacks, need->id);
	if (begun != NULL)
		need->frame = walk_below(reader, need->id).frame;
	if (begun != NULL)
		need->thread = read_field(reader, begun->thread, FIELD_rt_thread_system_id);
	need->function = walk_function(reader, need->id);
}

static void hand_over(const struct wait_graph *graph, ompdx_wait_t *waits, ompd_size_t room,
    ompdx_need_t *needs, ompd_size_t need_room)
{
	const struct need *found = graph->needs.items;

	for (ompd_size_t i = 0; i < waits_count(graph) && i < room; i++)
		waits[i] = waits_at(graph, i)->reported;
	for (ompd_size_t i = 0; i < graph->needs.count && i < need_room; i++) {
		needs[i] = found[i].reported;
		complete_need(graph, &needs[i]);
	}
}

static bool is_sound(uint32_t flags, const ompdx_observed_t *observed)
{
	if (observed == NULL)
		return (flags & OMPDX_WITH_BLOCKED) == 0;
	return (observed->jumped != NULL || observed->jumped_count == 0) &&
	       (observed->acting != NULL || observed->acting_count == 0) &&
	       ((flags & OMPDX_WITH_BLOCKED) == 0 || observed->blocked != NULL ||
		   observed->blocked_count == 0);
}

ompd_rc_t ompdx_get_waits(ompd_address_space_handle_t *process, uint32_t flags,
    const ompdx_observed_t *observed, ompdx_wait_t *waits, ompd_size_t room, ompd_size_t *count,
    ompdx_need_t *needs, ompd_size_t need_room, ompd_size_t *need_count)
{
	struct reader reader;
	struct wait_graph graph = {.reader = &reader};
	ompd_rc_t rc;

	if (process != NULL &&
	    (count == NULL || need_count == NULL || (waits == NULL && room != 0) ||
		(needs == NULL && need_room != 0) || !is_sound(flags, observed)))
		return ompd_rc_bad_input;
	rc = handle_open_space(process, &reader);
	if (rc != ompd_rc_ok)
		return rc;
	reader_begin_bulk(&reader);
	stacks_read(&reader, &graph.stacks);
	read_all_notes(&graph);
	find_needs(&graph, observed);
	deadlock_mark(&graph, flags, observed);
	if (reader.rc == ompd_rc_ok)
		hand_over(&graph, waits, room, needs, need_room);
	if (reader.rc == ompd_rc_ok) {
		*count = graph.waits.count;
		*need_count = graph.needs.count;
	}
	list_free(&graph.chunks);
	list_free(&graph.needs);
	list_free(&graph.waits);
	stacks_free(&graph.stacks);
	reader_end_bulk(&reader);
	return reader.rc;
}
