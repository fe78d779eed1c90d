/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The needs of waits for tasks, found in one walk over all tasks, each of which is compared with
 * what the waits are for. Even if a million tasks match, only the first few are reported. Tasks
 * that have begun come first in the walk, and only they can be stuck. A task that has not begun
 * because of its dependences leads to others: these are found through their edges, and are needs as
 * well.
 */
#include <stddef.h>
#include <stdlib.h>

#include "task-walk.h"
#include "waits.h"
#include "walk.h"

enum { MOST_NEEDS = 64 };

enum relation { CHILD, DESCENDANT, IN_GROUP, BEFORE_NODE };

/* A wait for all tasks that have this relation to the record. */
struct subject {
	ompd_addr_t record; /* a task, a group or a node */
	enum relation relation;
	ompd_size_t wait;
	uint32_t found;
};

/* A dependence: `task` must complete before `successor` begins. */
struct edge {
	ompd_addr_t successor, task;
	ompdx_task_state_t state; /* of task */
	ompd_size_t seen;         /* 1 + the last wait whose needs included it */
};

struct search {
	struct wait_graph *graph;
	struct memory_list subjects; /* by record */
	struct memory_list edges;    /* by successor */
	bool has[BEFORE_NODE + 1];   /* whether there is a subject with this relation */
	bool has_blocked;            /* some need has not begun because of its dependences */
};

static int by_record(const void *first, const void *second)
{
	const struct subject *one = first, *two = second;

	return (one->record > two->record) - (one->record < two->record);
}

static struct subject *find_subject(
    struct search *search, ompd_addr_t record, enum relation relation)
{
	struct subject wanted = {.record = record}, *found;

	found = bsearch(
	    &wanted, search->subjects.items, search->subjects.count, sizeof(wanted), by_record);
	return found != NULL && found->relation == relation ? found : NULL;
}

static void add_subject(
    struct search *search, ompd_size_t wait, enum relation relation, ompd_addr_t record)
{
	struct subject *subject =
	    list_add(search->graph->reader, &search->subjects, sizeof(*subject));

	if (subject != NULL)
		*subject = (struct subject){record, relation, wait, 0};
	search->has[relation] = true;
}

/* If the wait is one for tasks, and not over yet, records its subject. */
static void look_at_wait(struct search *search, ompd_size_t index)
{
	struct reader *reader = search->graph->reader;
	struct wait *wait = waits_at(search->graph, index);
	ompdx_wait_t *reported = &wait->reported;
	bool is_drain =
	    reported->state == ompt_state_wait_barrier && reported->object == reported->region;
	uint64_t created = read_field(reader, reported->task, FIELD_rt_task_created);
	uint64_t joins = read_field(reader, reported->task, FIELD_rt_task_joins);

	if (is_drain) {
		reported->is_over = joins >> 32 == created;
		add_subject(search, index, DESCENDANT, reported->task);
	} else if (reported->state == ompt_state_wait_taskwait && wait->until == 0) {
		reported->is_over = (uint32_t)joins == created;
		add_subject(search, index, CHILD, reported->task);
	} else if (reported->state == ompt_state_wait_taskwait) {
		reported->is_over =
		    read_field(reader, wait->until, FIELD_rt_depend_node_blockers) == 0;
		add_subject(search, index, BEFORE_NODE, wait->until);
	} else if (reported->state == ompt_state_wait_taskgroup) {
		reported->is_over =
		    read_field(reader, reported->object, FIELD_rt_taskgroup_pending) == 0;
		add_subject(search, index, IN_GROUP, reported->object);
	}
}

static void found(
    struct search *search, struct subject *subject, ompd_addr_t task, ompdx_task_state_t state)
{
	const struct wait *wait = waits_at(search->graph, subject->wait);

	if (wait->reported.is_over || task == wait->reported.task || subject->found >= MOST_NEEDS)
		return;
	subject->found++;
	search->has_blocked |= state == ompdx_task_blocked;
	waits_need_task(search->graph, subject->wait, task, state);
}

/*
 * A region's tasks descend from its implicit tasks; ancestors beyond those belong to other regions.
 */
static void ask_ancestors(struct search *search, ompd_addr_t task, ompdx_task_state_t state)
{
	struct reader *reader = search->graph->reader;
	ompd_addr_t ancestor = read_pointer(reader, task, FIELD_rt_task_parent);
	struct subject *subject;

	for (uint32_t depth = 0; ancestor != 0 && reader->rc == ompd_rc_ok; depth++) {
		subject = find_subject(search, ancestor, DESCENDANT);
		if (subject != NULL)
			found(search, subject, task, state);
		if (walk_task_is_implicit(reader, ancestor))
			break;
		reader_expect(reader, depth < WALK_DEPTH);
		ancestor = read_pointer(reader, ancestor, FIELD_rt_task_parent);
	}
}

static void ask_groups(struct search *search, ompd_addr_t task, ompdx_task_state_t state)
{
	struct reader *reader = search->graph->reader;
	ompd_addr_t group = read_pointer(reader, task, FIELD_rt_task_group);
	struct subject *subject;

	for (uint32_t depth = 0; group != 0 && reader->rc == ompd_rc_ok; depth++) {
		subject = find_subject(search, group, IN_GROUP);
		if (subject != NULL)
			found(search, subject, task, state);
		reader_expect(reader, depth < WALK_DEPTH);
		group = read_pointer(reader, group, FIELD_rt_taskgroup_outer);
	}
}

/* Finds the nodes that wait for the task's node: compares each, or records all as edges. */
static void ask_successors(
    struct search *search, ompd_addr_t task, ompdx_task_state_t state, bool as_edges)
{
	struct reader *reader = search->graph->reader;
	ompd_addr_t closed = reader->space->roots[ROOT_rt_depend_closed], edge, node;

	node = read_pointer(reader, task, FIELD_rt_task_node);
	edge = node != 0 ? read_pointer(reader, node, FIELD_rt_depend_node_successors) : 0;
	while (edge != 0 && edge != closed && reader->rc == ompd_rc_ok) {
		ompd_addr_t successor = read_pointer(reader, edge, FIELD_rt_depend_edge_successor);
		struct subject *subject = find_subject(search, successor, BEFORE_NODE);
		struct edge *noted;
		if (as_edges && search->edges.count == LIST_LIMIT)
			return; /* tasks behind others are not found, and are assumed to be able to
				   act */
		if (as_edges) {
			noted = list_add(reader, &search->edges, sizeof(*noted));
			if (noted != NULL)
				*noted = (struct edge){
				    read_pointer(reader, successor, FIELD_rt_depend_node_task),
				    task, state, 0};
		} else if (subject != NULL) {
			found(search, subject, task, state);
		}
		edge = read_pointer(reader, edge, FIELD_rt_depend_edge_next);
	}
}

static void ask_task(struct reader *reader, void *context, ompd_addr_t task,
    ompdx_task_state_t state, const struct begun_task *begun)
{
	struct search *search = context;
	struct subject *parent;

	if (state == ompdx_task_ended || (begun != NULL && walk_task_is_implicit(reader, task)))
		return;
	parent = find_subject(search, read_pointer(reader, task, FIELD_rt_task_parent), CHILD);
	if (parent != NULL)
		found(search, parent, task, state);
	if (search->has[DESCENDANT])
		ask_ancestors(search, task, state);
	if (search->has[IN_GROUP])
		ask_groups(search, task, state);
	if (search->has[BEFORE_NODE])
		ask_successors(search, task, state, false);
}

static void note_edges(struct reader *reader, void *context, ompd_addr_t task,
    ompdx_task_state_t state, const struct begun_task *begun)
{
	if (state != ompdx_task_ended && (begun == NULL || !walk_task_is_implicit(reader, task)))
		ask_successors(context, task, state, true);
}

static int by_successor(const void *first, const void *second)
{
	const struct edge *one = first, *two = second;

	return (one->successor > two->successor) - (one->successor < two->successor);
}

/* Adds the tasks that the blocked task depends on. Each edge is followed once per wait. */
static void unblock(struct search *search, ompd_size_t wait, ompd_addr_t blocked)
{
	struct edge wanted = {.successor = blocked}, *edges = search->edges.items, *edge;
	ompd_size_t count = search->edges.count, at;

	if (count == 0)
		return;
	edge = bsearch(&wanted, edges, count, sizeof(wanted), by_successor);
	if (edge == NULL)
		return;
	for (at = (ompd_size_t)(edge - edges); at > 0 && edges[at - 1].successor == blocked;)
		at--;
	for (; at < count && edges[at].successor == blocked; at++) {
		if (edges[at].seen == wait + 1)
			continue;
		edges[at].seen = wait + 1;
		waits_need_task(search->graph, wait, edges[at].task, edges[at].state);
	}
}

/* The list grows during the loop, by the tasks that each blocked task depends on. */
static void unblock_needs(struct search *search)
{
	struct wait_graph *graph = search->graph;

	for (ompd_size_t i = 0; i < graph->needs.count && graph->reader->rc == ompd_rc_ok; i++) {
		struct need need = ((struct need *)graph->needs.items)[i];
		if (need.reported.kind == ompdx_need_task &&
		    need.reported.state == ompdx_task_blocked)
			unblock(search, need.wait, need.reported.id);
	}
}

void needs_of_tasks(struct wait_graph *graph)
{
	struct search search = {.graph = graph};

	for (ompd_size_t i = 0; i < waits_count(graph) && graph->reader->rc == ompd_rc_ok; i++)
		look_at_wait(&search, i);
	if (search.subjects.count > 1)
		qsort(search.subjects.items, search.subjects.count, sizeof(struct subject),
		    by_record);
	if (search.subjects.count != 0)
		walk_tasks(graph->reader, &graph->stacks, ask_task, &search);
	if (search.has_blocked)
		walk_tasks(graph->reader, &graph->stacks, note_edges, &search);
	if (search.edges.count > 1)
		qsort(search.edges.items, search.edges.count, sizeof(struct edge), by_successor);
	unblock_needs(&search);
	list_free(&search.edges);
	list_free(&search.subjects);
}
