/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which waits cannot end. Everybody is taken to be stuck except who executes the program; then,
 * again and again, who waits for somebody that can act can act as well, until nothing changes. What
 * is left waits in circles, or for something that will never come. Where it is not known who has to
 * act, he is taken to be able to: nobody is called stuck for what we do not know.
 */
#include <stddef.h>

#include "library.h"
#include "waits.h"
#include "walk.h"

enum { NOBODY = -1 };

struct verdict {
	struct wait_graph *graph;
	bool all_threads_known;
	bool *can_act;    /* by begun task */
	int64_t *targets; /* by need: the begun task that it stands for, or NOBODY */
};

static int64_t index_of(const struct wait_graph *graph, const struct begun_task *begun)
{
	return begun != NULL ? begun - stacks_at(&graph->stacks, 0) : NOBODY;
}

/*
 * The current task of a thread by the kernel's number. A worker between two regions can do nothing
 * before the thread that forks its team's regions begins another, so that one's stands for it.
 */
static int64_t current_of(struct wait_graph *graph, uint64_t number)
{
	struct reader *reader = graph->reader;
	const struct known_thread *known = stacks_thread(&graph->stacks, number);

	for (uint32_t depth = 0; known != NULL && reader->rc == ompd_rc_ok; depth++) {
		ompd_addr_t team, forker;
		if (known->current != 0)
			return index_of(graph, stacks_find(&graph->stacks, known->current));
		reader_expect(reader, depth < WALK_DEPTH);
		team = read_pointer(reader, known->thread, FIELD_rt_thread_team);
		forker = read_pointer(reader, walk_member(reader, team, 0), FIELD_rt_member_thread);
		known = stacks_thread(
		    &graph->stacks, read_field(reader, forker, FIELD_rt_thread_system_id));
	}
	return NOBODY;
}

static void find_targets(struct verdict *verdict)
{
	struct wait_graph *graph = verdict->graph;
	const struct need *needs = graph->needs.items;
	uint64_t last = 0;
	int64_t current = NOBODY;

	for (ompd_size_t i = 0; i < graph->needs.count; i++) {
		const ompdx_need_t *need = &needs[i].told;
		verdict->targets[i] = NOBODY;
		if (need->kind == ompdx_need_task)
			verdict->targets[i] =
			    index_of(graph, stacks_find(&graph->stacks, need->id));
		if (need->kind != ompdx_need_thread)
			continue;
		if (need->id != last) /* mostly many wait for the same */
			current = current_of(graph, need->id);
		last = need->id;
		verdict->targets[i] = current;
	}
}

/* A thread in a wait takes queued tasks; those that its suspended task allows (5.2, 12.9). */
static bool would_take(struct reader *reader, const struct wait *wait, ompd_addr_t task)
{
	if (wait == NULL || wait->told.above != 0 || !wait->told.executes_tasks)
		return false;
	return wait->descendants == 0 ||
	       (read_field(reader, task, FIELD_rt_task_flags) & RT_DEBUG_TASK_UNTIED) != 0 ||
	       walk_leads_to(reader, task, wait->descendants, FIELD_rt_task_parent);
}

/* Is there a thread of the team that can act, or one that takes the task (0: none) in its wait? */
static bool team_can_act(struct verdict *verdict, ompd_addr_t team, ompd_addr_t task)
{
	struct wait_graph *graph = verdict->graph;

	for (ompd_size_t i = 0; i < stacks_count(&graph->stacks); i++) {
		const struct begun_task *begun = stacks_at(&graph->stacks, i);
		if (read_pointer(graph->reader, begun->task, FIELD_rt_task_team) != team)
			continue;
		if (verdict->can_act[i])
			return true;
		if (task != 0 && would_take(graph->reader, waits_find(graph, begun->task), task))
			return true;
	}
	return false;
}

static bool anybody_can_act(const struct verdict *verdict)
{
	for (ompd_size_t i = 0; i < stacks_count(&verdict->graph->stacks); i++)
		if (verdict->can_act[i])
			return true;
	return false;
}

static bool need_can_act(struct verdict *verdict, ompd_size_t index)
{
	struct reader *reader = verdict->graph->reader;
	const ompdx_need_t *need = &((struct need *)verdict->graph->needs.items)[index].told;

	if (verdict->targets[index] != NOBODY)
		return verdict->can_act[verdict->targets[index]];
	if (need->kind == ompdx_need_left || need->kind == ompdx_need_ended ||
	    need->kind == ompdx_need_jumped)
		return false;
	if (need->kind == ompdx_need_region)
		return team_can_act(verdict, need->id, 0);
	if (need->kind == ompdx_need_unknown && need->id == 0) /* a lock's holder */
		return !verdict->all_threads_known || anybody_can_act(verdict);
	if (need->kind != ompdx_need_task)
		return true;
	if (need->state == ompdx_task_ready)
		return team_can_act(
		    verdict, read_pointer(reader, need->id, FIELD_rt_task_team), need->id);
	if (need->state == ompdx_task_detached)
		return !verdict->all_threads_known || anybody_can_act(verdict);
	return true; /* blocked: what it depends on is among the needs */
}

/* What is above a task on its thread's stack has to end before it goes on. */
static bool task_can_act(struct verdict *verdict, const struct begun_task *begun)
{
	struct wait_graph *graph = verdict->graph;
	const struct wait *wait = waits_find(graph, begun->task);
	int64_t over =
	    index_of(graph, begun->over != 0 ? stacks_find(&graph->stacks, begun->over) : NULL);

	if (begun->has_ended || (over != NOBODY && !verdict->can_act[over]))
		return false;
	if (wait == NULL || wait->begun != begun || wait->told.is_over)
		return true;
	for (uint64_t i = 0; i < wait->told.need_count; i++)
		if (!need_can_act(verdict, wait->told.first_need + i))
			return false;
	return true;
}

static bool spread(struct verdict *verdict)
{
	struct wait_graph *graph = verdict->graph;
	bool changed = false;

	for (ompd_size_t i = 0; i < stacks_count(&graph->stacks); i++) {
		if (verdict->can_act[i] || !task_can_act(verdict, stacks_at(&graph->stacks, i)))
			continue;
		verdict->can_act[i] = true;
		changed = true;
	}
	return changed && graph->reader->rc == ompd_rc_ok;
}

static void mark(struct verdict *verdict)
{
	struct wait_graph *graph = verdict->graph;

	find_targets(verdict);
	while (spread(verdict))
		;
	for (ompd_size_t i = 0; i < waits_count(graph); i++) {
		struct wait *wait = waits_at(graph, i);
		wait->told.is_stuck = !verdict->can_act[index_of(graph, wait->begun)];
	}
}

void deadlock_mark(struct wait_graph *graph, bool all_threads_known)
{
	struct verdict verdict = {.graph = graph, .all_threads_known = all_threads_known};
	ompd_size_t needs = graph->needs.count + 1, begun = stacks_count(&graph->stacks);
	void *memory;

	if (graph->reader->rc != ompd_rc_ok || begun == 0)
		return;
	graph->reader->rc = library_alloc(needs * sizeof(*verdict.targets) + begun, &memory);
	if (graph->reader->rc != ompd_rc_ok)
		return;
	verdict.targets = memory;
	verdict.can_act = (bool *)(verdict.targets + needs);
	mark(&verdict);
	library_free(memory);
}
