/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the waits that cannot end. At first every task is assumed to be stuck, except tasks that
 * execute the program. Then, repeatedly, a task whose wait depends on one that can proceed can also
 * proceed, until nothing changes. The remaining tasks wait in cycles, or for something that will
 * never happen. If it is unknown which task must act, that task is assumed to be able to: no task
 * is reported as stuck because of missing knowledge.
 *
 * A thread that the debugger has seen blocked outside of OpenMP executes the program once the
 * thread that it waits for can proceed.
 */
#include <stddef.h>

#include "library.h"
#include "waits.h"
#include "walk.h"

enum { NO_TASK = -1 };

struct deadlock_search {
	struct wait_graph *graph;
	const ompdx_observed_t *observed; /* may be NULL */
	ompd_size_t blocked_count;        /* number of the observed blocked threads */
	bool all_threads_known;
	bool *can_proceed; /* by begun task */
	int64_t *targets;  /* by need: the begun task that it refers to, or NO_TASK */
};

/* Returns the call outside of OpenMP in which the thread is blocked; NULL: none. */
static ompdx_blocked_t *blocked_of(const struct deadlock_search *search, uint64_t number)
{
	for (ompd_size_t i = 0; i < search->blocked_count; i++)
		if (search->observed->blocked[i].thread == number)
			return &search->observed->blocked[i];
	return NULL;
}

static int64_t index_of(const struct wait_graph *graph, const struct begun_task *begun)
{
	return begun != NULL ? begun - stacks_at(&graph->stacks, 0) : NO_TASK;
}

/*
 * Returns the current task of the thread with the kernel's number. A worker between two regions can
 * do nothing until the thread that forks its team's regions begins another one, so that thread's
 * task represents it.
 */
static int64_t current_of(struct wait_graph *graph, uint64_t number)
{
	struct reader *reader = graph->reader;
	const struct known_thread *known = stacks_thread(&graph->stacks, number);

	for (uint32_t depth = 0; known != NULL && reader->rc == ompd_rc_ok; depth++) {
		ompd_addr_t team, encountering;
		if (known->current != 0)
			return index_of(graph, stacks_find(&graph->stacks, known->current));
		reader_expect(reader, depth < WALK_DEPTH);
		team = read_pointer(reader, known->thread, FIELD_rt_thread_team);
		encountering =
		    read_pointer(reader, walk_member(reader, team, 0), FIELD_rt_member_thread);
		known = stacks_thread(
		    &graph->stacks, read_field(reader, encountering, FIELD_rt_thread_system_id));
	}
	return NO_TASK;
}

static void find_targets(struct deadlock_search *search)
{
	struct wait_graph *graph = search->graph;
	const struct need *needs = graph->needs.items;
	uint64_t last = 0;
	int64_t current = NO_TASK;

	for (ompd_size_t i = 0; i < graph->needs.count; i++) {
		const ompdx_need_t *need = &needs[i].reported;
		search->targets[i] = NO_TASK;
		if (need->kind == ompdx_need_task)
			search->targets[i] = index_of(graph, stacks_find(&graph->stacks, need->id));
		if (need->kind != ompdx_need_thread)
			continue;
		if (need->id != last) /* mostly many wait for the same */
			current = current_of(graph, need->id);
		last = need->id;
		search->targets[i] = current;
	}
}

/*
 * A waiting thread executes queued tasks; in the wait of a task, only that task's descendants, see
 * rt_task_may_run() in the runtime.
 */
static bool would_take(struct reader *reader, const struct wait *wait, ompd_addr_t task)
{
	if (wait == NULL || wait->reported.above != 0 || !wait->reported.executes_tasks)
		return false;
	return wait->descendants == 0 ||
	       walk_leads_to(reader, task, wait->descendants, FIELD_rt_task_parent);
}

/* Returns whether a thread of the team can act, or executes the task (0: none) while it waits. */
static bool team_can_proceed(struct deadlock_search *search, ompd_addr_t team, ompd_addr_t task)
{
	struct wait_graph *graph = search->graph;

	for (ompd_size_t i = 0; i < stacks_count(&graph->stacks); i++) {
		const struct begun_task *begun = stacks_at(&graph->stacks, i);
		if (read_pointer(graph->reader, begun->task, FIELD_rt_task_team) != team)
			continue;
		if (search->can_proceed[i])
			return true;
		if (task != 0 && would_take(graph->reader, waits_find(graph, begun->task), task))
			return true;
	}
	return false;
}

/*
 * Returns whether a thread of the team executes the program in its implicit task. It may be taking
 * an iteration without having recorded which.
 */
static bool team_runs(struct deadlock_search *search, ompd_addr_t team)
{
	struct wait_graph *graph = search->graph;

	for (ompd_size_t i = 0; i < stacks_count(&graph->stacks); i++) {
		const struct begun_task *begun = stacks_at(&graph->stacks, i);
		if (begun->over == 0 && !begun->has_ended &&
		    waits_find(graph, begun->task) == NULL &&
		    read_pointer(graph->reader, begun->task, FIELD_rt_task_team) == team &&
		    walk_task_is_implicit(graph->reader, begun->task))
			return true;
	}
	return false;
}

static bool has_acting(const struct deadlock_search *search)
{
	return search->observed != NULL && search->observed->acting_count != 0;
}

/*
 * Returns whether the thread with the kernel's number executes the program in the middle of a wait,
 * and is not blocked there.
 */
static bool is_acting(const struct deadlock_search *search, uint64_t number)
{
	for (ompd_size_t i = 0; has_acting(search) && i < search->observed->acting_count; i++)
		if (search->observed->acting[i] == number)
			return blocked_of(search, number) == NULL;
	return false;
}

static bool some_task_can_proceed(const struct deadlock_search *search)
{
	for (ompd_size_t i = 0; has_acting(search) && i < search->observed->acting_count; i++)
		if (is_acting(search, search->observed->acting[i]))
			return true;
	for (ompd_size_t i = 0; i < search->blocked_count; i++)
		if (search->observed->blocked[i].is_stuck == 0)
			return true;
	for (ompd_size_t i = 0; i < stacks_count(&search->graph->stacks); i++)
		if (search->can_proceed[i])
			return true;
	return false;
}

static bool need_can_proceed(struct deadlock_search *search, ompd_size_t index)
{
	struct reader *reader = search->graph->reader;
	const ompdx_need_t *need = &((struct need *)search->graph->needs.items)[index].reported;

	if (need->kind == ompdx_need_thread && is_acting(search, need->id))
		return true;
	if (search->targets[index] != NO_TASK)
		return search->can_proceed[search->targets[index]];
	if (need->kind == ompdx_need_left || need->kind == ompdx_need_ended ||
	    need->kind == ompdx_need_jumped)
		return false;
	if (need->kind == ompdx_need_region)
		return team_can_proceed(search, need->id, 0);
	if (need->kind == ompdx_need_passed)
		return team_runs(search, need->id);
	if ((need->kind == ompdx_need_unknown && need->id == 0) || /* a lock's holder */
	    need->kind == ompdx_need_no_lock)
		return !search->all_threads_known || some_task_can_proceed(search);
	if (need->kind != ompdx_need_task)
		return true;
	if (need->state == ompdx_task_ready)
		return team_can_proceed(
		    search, read_pointer(reader, need->id, FIELD_rt_task_team), need->id);
	if (need->state == ompdx_task_detached)
		return !search->all_threads_known || some_task_can_proceed(search);
	return true; /* blocked: the tasks that it depends on are among the needs */
}

static bool wait_can_proceed(struct deadlock_search *search, const struct wait *wait)
{
	if (wait->reported.is_over)
		return true;
	for (uint64_t i = 0; i < wait->reported.need_count; i++)
		if (!need_can_proceed(search, wait->reported.first_need + i))
			return false;
	return true;
}

/*
 * A task continues only after everything above it on its thread's stack has ended, and after all
 * its waits have ended. It may have several: those of signal handlers, and those that they
 * interrupted.
 */
static bool task_can_proceed(struct deadlock_search *search, const struct begun_task *begun)
{
	struct wait_graph *graph = search->graph;
	const struct wait *wait = waits_find(graph, begun->task);
	int64_t over =
	    index_of(graph, begun->over != 0 ? stacks_find(&graph->stacks, begun->over) : NULL);
	const ompdx_blocked_t *blocked = NULL;

	if (begun->has_ended || (over != NO_TASK && !search->can_proceed[over]))
		return false;
	if (search->blocked_count != 0 && begun->over == 0)
		blocked = blocked_of(
		    search, read_field(graph->reader, begun->thread, FIELD_rt_thread_system_id));
	if (blocked != NULL)
		return blocked->is_stuck == 0;
	if (wait == NULL || wait->begun != begun ||
	    (begun->over == 0 && is_acting(search, wait->reported.thread)))
		return true;
	for (; wait != NULL; wait = waits_interrupted(graph, wait))
		if (!wait_can_proceed(search, wait))
			return false;
	return true;
}

/* Returns whether the thread for which a call outside of OpenMP waits can act. */
static bool blocked_can_proceed(struct deadlock_search *search, const ompdx_blocked_t *blocked)
{
	const ompdx_blocked_t *other;
	int64_t current;

	if (blocked->by == 0)
		return !search->all_threads_known || some_task_can_proceed(search);
	other = blocked_of(search, blocked->by);
	if (other != NULL)
		return other->is_stuck == 0;
	current = current_of(search->graph, blocked->by);
	return current == NO_TASK || search->can_proceed[current];
}

static bool spread(struct deadlock_search *search)
{
	struct wait_graph *graph = search->graph;
	bool changed = false;

	for (ompd_size_t i = 0; i < search->blocked_count; i++) {
		ompdx_blocked_t *blocked = &search->observed->blocked[i];
		if (blocked->is_stuck == 0 || !blocked_can_proceed(search, blocked))
			continue;
		blocked->is_stuck = 0;
		changed = true;
	}
	for (ompd_size_t i = 0; i < stacks_count(&graph->stacks); i++) {
		if (search->can_proceed[i] ||
		    !task_can_proceed(search, stacks_at(&graph->stacks, i)))
			continue;
		search->can_proceed[i] = true;
		changed = true;
	}
	return changed && graph->reader->rc == ompd_rc_ok;
}

static void mark(struct deadlock_search *search)
{
	struct wait_graph *graph = search->graph;

	find_targets(search);
	for (ompd_size_t i = 0; i < search->blocked_count; i++)
		search->observed->blocked[i].is_stuck = 1;
	while (spread(search))
		;
	for (ompd_size_t i = 0; i < waits_count(graph); i++) {
		struct wait *wait = waits_at(graph, i);
		wait->reported.is_stuck = !search->can_proceed[index_of(graph, wait->begun)];
	}
}

void deadlock_mark(struct wait_graph *graph, uint32_t flags, const ompdx_observed_t *observed)
{
	struct deadlock_search search = {.graph = graph,
	    .observed = observed,
	    .blocked_count = (flags & OMPDX_WITH_BLOCKED) != 0 ? observed->blocked_count : 0,
	    .all_threads_known = (flags & OMPDX_ALL_THREADS_KNOWN) != 0};
	ompd_size_t needs = graph->needs.count + 1, begun = stacks_count(&graph->stacks);
	void *memory;

	if (graph->reader->rc != ompd_rc_ok || (begun == 0 && search.blocked_count == 0))
		return;
	graph->reader->rc = library_alloc(needs * sizeof(*search.targets) + begun, &memory);
	if (graph->reader->rc != ompd_rc_ok)
		return;
	search.targets = memory;
	search.can_proceed = (bool *)(search.targets + needs);
	mark(&search);
	library_free(memory);
}
