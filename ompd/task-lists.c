/* SPDX-License-Identifier: BSD-3-Clause */
/* The extensions for tasks: a list, counts by code and state, and dependences. */
#include <stddef.h>

#include "handles.h"
#include "task-walk.h"
#include "walk.h"

/*
 * Walks over all tasks for one of the functions below. `rows` has room for `room` of the caller's
 * elements, which `visit` fills in; `visit` counts in *found, which becomes *count.
 */
static ompd_rc_t list_rows(ompd_address_space_handle_t *process, const void *rows, ompd_size_t room,
    ompd_size_t *count, task_visitor *visit, void *context, const ompd_size_t *found)
{
	struct reader reader;
	struct stacks stacks;
	ompd_rc_t rc;

	if (process != NULL && (count == NULL || (rows == NULL && room != 0)))
		return ompd_rc_bad_input;
	rc = handle_open_space(process, &reader);
	if (rc != ompd_rc_ok)
		return rc;
	reader_begin_bulk(&reader);
	stacks_read(&reader, &stacks);
	walk_tasks(&reader, &stacks, visit, context);
	stacks_free(&stacks);
	reader_end_bulk(&reader);
	if (reader.rc == ompd_rc_ok)
		*count = *found;
	return reader.rc;
}

struct task_list {
	uint32_t states;
	bool with_implicit;
	ompdx_task_t *tasks;
	ompd_size_t room, count;
};

/* Tasks that are not counted are executed immediately: their site is on the stack. */
static ompd_addr_t find_site(struct reader *reader, ompd_addr_t task, ompd_addr_t function)
{
	int64_t site = read_signed(reader, task, FIELD_rt_task_site);

	if (site == 0 ||
	    (read_field(reader, task, FIELD_rt_task_flags) & RT_DEBUG_TASK_COUNTED) == 0)
		return 0;
	function += (ompd_addr_t)site;
	return reader->space->sizes.sizeof_pointer == 4 ? (uint32_t)function : function;
}

static void fill_task(struct reader *reader, ompdx_task_t *row, const struct begun_task *begun)
{
	ompd_addr_t task = row->task;

	row->generating = walk_generating(reader, task);
	row->region = read_pointer(reader, task, FIELD_rt_task_team);
	row->function = walk_function(reader, task);
	row->data = read_pointer(reader, task, FIELD_rt_task_data);
	if (row->generating != 0)
		row->creator = walk_function(reader, row->generating);
	row->site = find_site(reader, task, row->function);
	row->count = walk_range(reader, task);
	if (row->count == 0)
		row->count = 1;
	row->flags =
	    (uint32_t)read_field(reader, task, FIELD_rt_task_flags) &
	    (ompdx_task_implicit | ompdx_task_untied | ompdx_task_final | ompdx_task_detachable);
	row->priority = (int32_t)read_signed(reader, task, FIELD_rt_task_priority);
	row->level = (uint32_t)read_field(reader, row->region, FIELD_rt_team_level);
	if (row->state == ompdx_task_blocked)
		row->blockers = walk_blockers(reader, task);
	if (begun != NULL) {
		row->thread = read_field(reader, begun->thread, FIELD_rt_thread_system_id);
		row->above = begun->above;
	}
	if (row->flags & ompdx_task_implicit)
		row->number = (uint32_t)read_field(
		    reader, walk_member_of_implicit(reader, task), FIELD_rt_member_number);
}

static void list_task(struct reader *reader, void *context, ompd_addr_t task,
    ompdx_task_state_t state, const struct begun_task *begun)
{
	struct task_list *list = context;
	ompdx_task_t *row;

	if ((list->states & 1u << state) == 0)
		return;
	if (!list->with_implicit && begun != NULL && walk_task_is_implicit(reader, task))
		return;
	if (state != ompdx_task_ready && walk_is_range(reader, task))
		return; /* it executes the tasks that it represents */
	if (list->count++ >= list->room)
		return;
	row = &list->tasks[list->count - 1];
	*row = (ompdx_task_t){.task = task, .state = (uint32_t)state};
	fill_task(reader, row, begun);
}

ompd_rc_t ompdx_get_tasks(ompd_address_space_handle_t *process, uint32_t states, int with_implicit,
    ompdx_task_t *tasks, ompd_size_t room, ompd_size_t *count)
{
	struct task_list list = {states, with_implicit != 0, tasks, room, 0};

	return list_rows(process, tasks, room, count, list_task, &list, &list.count);
}

struct group_list {
	ompdx_task_group_t *groups;
	ompd_size_t room, count;
	ompd_size_t last; /* index of the previous function, which is usually the same */
};

/* Linear search: a program has only as many functions as task constructs. */
static ompdx_task_group_t *find_group(struct group_list *list, ompd_addr_t function)
{
	ompd_size_t known = list->count < list->room ? list->count : list->room;

	if (list->last < known && list->groups[list->last].function == function)
		return &list->groups[list->last];
	for (list->last = 0; list->last < known; list->last++)
		if (list->groups[list->last].function == function)
			return &list->groups[list->last];
	list->count++;
	if (list->count > list->room)
		return NULL;
	list->groups[list->last] = (ompdx_task_group_t){.function = function};
	return &list->groups[list->last];
}

static void sum_task(struct reader *reader, void *context, ompd_addr_t task,
    ompdx_task_state_t state, const struct begun_task *begun)
{
	ompdx_task_group_t *group;
	uint64_t range;

	if (begun != NULL && walk_task_is_implicit(reader, task))
		return;
	range = walk_range(reader, task);
	if (range != 0 && state != ompdx_task_ready)
		return; /* it executes the tasks that it represents */
	group = find_group(context, walk_function(reader, task));
	if (group != NULL)
		group->count[state] += range != 0 ? range : 1;
}

ompd_rc_t ompdx_get_task_groups(ompd_address_space_handle_t *process, ompdx_task_group_t *groups,
    ompd_size_t room, ompd_size_t *count)
{
	struct group_list list = {groups, room, 0, 0};

	return list_rows(process, groups, room, count, sum_task, &list, &list.count);
}

struct dependence_list {
	ompdx_dependence_t *dependences;
	ompd_size_t room, count;
};

/*
 * The tasks in a node's list of successors wait for its task. When the task completes, the list is
 * closed.
 */
static void list_successors(struct reader *reader, void *context, ompd_addr_t task,
    ompdx_task_state_t state, const struct begun_task *begun)
{
	struct dependence_list *list = context;
	ompd_addr_t node, edge, closed = reader->space->roots[ROOT_rt_depend_closed];

	(void)begun;
	if (state == ompdx_task_ended || walk_task_is_implicit(reader, task))
		return;
	node = read_pointer(reader, task, FIELD_rt_task_node);
	if (node == 0)
		return;
	edge = read_pointer(reader, node, FIELD_rt_depend_node_successors);
	while (edge != 0 && edge != closed && reader->rc == ompd_rc_ok) {
		ompd_addr_t successor = read_pointer(reader, edge, FIELD_rt_depend_edge_successor);
		ompd_addr_t blocked = read_pointer(reader, successor, FIELD_rt_depend_node_task);
		if (list->count++ < list->room && reader->rc == ompd_rc_ok)
			list->dependences[list->count - 1] =
			    (ompdx_dependence_t){blocked != 0 ? blocked : successor, task};
		edge = read_pointer(reader, edge, FIELD_rt_depend_edge_next);
	}
}

/*
 * A thread that waits in a taskwait with a depend clause has only a node there and no task; the
 * node then represents the task.
 */
ompd_rc_t ompdx_get_dependences(ompd_address_space_handle_t *process,
    ompdx_dependence_t *dependences, ompd_size_t room, ompd_size_t *count)
{
	struct dependence_list list = {dependences, room, 0};

	return list_rows(process, dependences, room, count, list_successors, &list, &list.count);
}
