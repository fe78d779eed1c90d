/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parallel regions: of a thread, of a task, around another one. The implicit region of an initial
 * thread also counts, and is the last one in a chain.
 */
#include <stddef.h>

#include "handles.h"
#include "walk.h"

/*
 * Returns the innermost region that the thread is in; freed by ompd_rel_parallel_handle(). On
 * failure *parallel_handle is untouched.
 *   ompd_rc_unavailable   a worker between two regions
 *   ompd_rc_bad_input     parallel_handle is NULL
 *   ompd_rc_stale_handle  thread_handle is not a thread
 *   any other             what a callback returned
 */
ompd_rc_t ompd_get_curr_parallel_handle(
    ompd_thread_handle_t *thread_handle, ompd_parallel_handle_t **parallel_handle)
{
	const struct handle *thread;
	struct reader reader;
	ompd_rc_t rc = handle_open(thread_handle, HANDLE_THREAD, parallel_handle, &reader, &thread);

	if (rc != ompd_rc_ok)
		return rc;
	return handle_make(
	    &reader, HANDLE_PARALLEL, walk_current_team(&reader, thread->address), parallel_handle);
}

/* Returns the enclosing region; ompd_rc_unavailable: there is none. Otherwise as above. */
ompd_rc_t ompd_get_enclosing_parallel_handle(
    ompd_parallel_handle_t *parallel_handle, ompd_parallel_handle_t **enclosing_parallel_handle)
{
	const struct handle *region;
	struct reader reader;
	ompd_addr_t team;
	ompd_rc_t rc = handle_open(
	    parallel_handle, HANDLE_PARALLEL, enclosing_parallel_handle, &reader, &region);

	if (rc != ompd_rc_ok)
		return rc;
	team = read_pointer(&reader, region->address, FIELD_rt_team_parent);
	/* Levels decrease by one, so a circular chain ends here. */
	if (reader.rc == ompd_rc_ok && team != 0)
		reader_expect(
		    &reader, read_field(&reader, team, FIELD_rt_team_level) + 1 ==
				 read_field(&reader, region->address, FIELD_rt_team_level));
	return handle_make(&reader, HANDLE_PARALLEL, team, enclosing_parallel_handle);
}

/* Returns the region in which the task is executed. As above. */
ompd_rc_t ompd_get_task_parallel_handle(
    ompd_task_handle_t *task_handle, ompd_parallel_handle_t **task_parallel_handle)
{
	const struct handle *task;
	struct reader reader;
	ompd_rc_t rc = handle_open(task_handle, HANDLE_TASK, task_parallel_handle, &reader, &task);

	if (rc != ompd_rc_ok)
		return rc;
	return handle_make(&reader, HANDLE_PARALLEL,
	    read_pointer(&reader, task->address, FIELD_rt_task_team), task_parallel_handle);
}

ompd_rc_t ompd_rel_parallel_handle(ompd_parallel_handle_t *parallel_handle)
{
	return handle_release(parallel_handle, HANDLE_PARALLEL);
}

ompd_rc_t ompd_parallel_handle_compare(ompd_parallel_handle_t *parallel_handle_1,
    ompd_parallel_handle_t *parallel_handle_2, int *cmp_value)
{
	return handle_compare(parallel_handle_1, parallel_handle_2, HANDLE_PARALLEL, cmp_value);
}
