/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks: the one that a thread executes, the one that generated it, the one that its thread
 * suspended for it; the address of its code, and its part of the stack.
 */
#include <stddef.h>

#include "handles.h"
#include "walk.h"

/*
 * Returns the task that the thread executes; freed by ompd_rel_task_handle(). On failure
 * *task_handle is untouched.
 *   ompd_rc_unavailable   a worker between two regions
 *   ompd_rc_bad_input     task_handle is NULL
 *   ompd_rc_stale_handle  thread_handle is not a thread
 *   any other             what a callback returned
 */
ompd_rc_t ompd_get_curr_task_handle(
    ompd_thread_handle_t *thread_handle, ompd_task_handle_t **task_handle)
{
	const struct handle *thread;
	struct reader reader;
	ompd_addr_t task = 0;
	bool is_explicit;
	ompd_rc_t rc = handle_open(thread_handle, HANDLE_THREAD, task_handle, &reader, &thread);

	if (rc != ompd_rc_ok)
		return rc;
	if (walk_current_team(&reader, thread->address) != 0)
		task = read_pointer(&reader, thread->address, FIELD_rt_thread_task);
	is_explicit = task != 0 && !walk_task_is_implicit(&reader, task);
	rc = handle_make(&reader, HANDLE_TASK, task, task_handle);
	if (rc == ompd_rc_ok && is_explicit)
		((struct handle *)*task_handle)->thread = thread->address;
	return rc;
}

/*
 * Returns the task that encountered the construct; ompd_rc_unavailable: an initial task. Otherwise
 * as above.
 */
ompd_rc_t ompd_get_generating_task_handle(
    ompd_task_handle_t *task_handle, ompd_task_handle_t **generating_task_handle)
{
	const struct handle *task;
	struct reader reader;
	ompd_addr_t parent;
	ompd_rc_t rc =
	    handle_open(task_handle, HANDLE_TASK, generating_task_handle, &reader, &task);

	if (rc != ompd_rc_ok)
		return rc;
	parent = walk_generating(&reader, task->address);
	return handle_make(&reader, HANDLE_TASK, parent, generating_task_handle);
}

/*
 * Returns the task that the executing thread suspended for it. ompd_rc_unavailable: there is none,
 * or the task is not being executed. Otherwise as above.
 */
ompd_rc_t ompd_get_scheduling_task_handle(
    ompd_task_handle_t *task_handle, ompd_task_handle_t **scheduling_task_handle)
{
	const struct handle *task;
	struct reader reader;
	struct suspension below;
	ompd_rc_t rc =
	    handle_open(task_handle, HANDLE_TASK, scheduling_task_handle, &reader, &task);

	if (rc != ompd_rc_ok)
		return rc;
	below.task = task->address;
	do {
		ompd_addr_t above = below.task;
		below = walk_below(&reader, above);
		reader_expect(&reader, below.task != above);
	} while (below.task != 0 && walk_is_range(&reader, below.task));
	return handle_make(&reader, HANDLE_TASK, below.task, scheduling_task_handle);
}

/*
 * Returns the implicit task of member `thread_num` in the region.
 *   ompd_rc_bad_input  thread_num is outside 0 .. team size - 1, or task_handle is NULL
 * Otherwise as above.
 */
ompd_rc_t ompd_get_task_in_parallel(
    ompd_parallel_handle_t *parallel_handle, int thread_num, ompd_task_handle_t **task_handle)
{
	struct reader reader;
	ompd_addr_t member;
	ompd_rc_t rc =
	    handle_open_member(parallel_handle, thread_num, task_handle, &reader, &member);

	if (rc != ompd_rc_ok)
		return rc;
	return handle_make(&reader, HANDLE_TASK,
	    field_address(&reader, member, FIELD_rt_member_implicit), task_handle);
}

ompd_rc_t ompd_rel_task_handle(ompd_task_handle_t *task_handle)
{
	return handle_release(task_handle, HANDLE_TASK);
}

ompd_rc_t ompd_task_handle_compare(
    ompd_task_handle_t *task_handle_1, ompd_task_handle_t *task_handle_2, int *cmp_value)
{
	return handle_compare(task_handle_1, task_handle_2, HANDLE_TASK, cmp_value);
}

/*
 * Returns the program's outlined function with the task's code; for an implicit task, that of its
 * parallel construct.
 *   ompd_rc_unavailable   an initial task, which is the whole program
 *   ompd_rc_bad_input     entry_point is NULL
 *   ompd_rc_stale_handle  task_handle is not a task
 *   any other             what a callback returned
 */
ompd_rc_t ompd_get_task_function(ompd_task_handle_t *task_handle, ompd_address_t *entry_point)
{
	const struct handle *task;
	struct reader reader;
	ompd_addr_t function;
	ompd_rc_t rc = handle_open(task_handle, HANDLE_TASK, entry_point, &reader, &task);

	if (rc != ompd_rc_ok)
		return rc;
	function = walk_function(&reader, task->address);
	if (reader.rc != ompd_rc_ok)
		return reader.rc;
	if (function == 0)
		return ompd_rc_unavailable;
	*entry_point = (ompd_address_t){OMPD_SEGMENT_UNSPECIFIED, function};
	return ompd_rc_ok;
}

/*
 * Returns the frame between the task and the one above it on the thread's stack; 0: there is none.
 */
static ompd_addr_t frame_on_stack_of(struct reader *reader, ompd_addr_t thread, ompd_addr_t task)
{
	ompd_addr_t above = read_pointer(reader, thread, FIELD_rt_thread_task);

	for (uint32_t depth = 0; above != 0 && depth < WALK_DEPTH; depth++) {
		struct suspension below = walk_below(reader, above);
		if (reader->rc != ompd_rc_ok)
			return 0;
		if (below.task == task)
			return below.frame;
		above = below.task;
	}
	return 0;
}

/*
 * Returns the frame in which the task entered the runtime, if it is below another task on some
 * thread's stack. 0: it executes the program's code, or waits in the runtime itself. An implicit
 * task is on its member's thread; for an explicit task the thread is unknown.
 */
static ompd_addr_t find_enter_frame(struct reader *reader, ompd_addr_t task)
{
	struct thread_walk walk;
	ompd_addr_t thread, frame = 0;

	if (walk_task_is_implicit(reader, task)) {
		thread = read_pointer(
		    reader, walk_member_of_implicit(reader, task), FIELD_rt_member_thread);
		return thread != 0 ? frame_on_stack_of(reader, thread, task) : 0;
	}
	thread = walk_threads(&walk, reader);
	for (; thread != 0 && frame == 0; thread = walk_next_thread(&walk))
		frame = frame_on_stack_of(reader, thread, task);
	return frame;
}

static ompd_frame_info_t frame_info(ompd_addr_t frame)
{
	return (ompd_frame_info_t){
	    {OMPD_SEGMENT_UNSPECIFIED, frame}, ompt_frame_runtime | ompt_frame_stackaddress};
}

/*
 * Returns where the task's part of the stack begins and, if it is suspended, ends: frames of the
 * runtime, each given by an address in it. Address 0: there is no such frame (the runtime did not
 * call an initial task; a running task has not entered the runtime), or the program called
 * GOMP_parallel_start().
 *   ompd_rc_bad_input     a NULL argument
 *   ompd_rc_stale_handle  task_handle is not a task
 *   any other             what a callback returned
 */
ompd_rc_t ompd_get_task_frame(
    ompd_task_handle_t *task_handle, ompd_frame_info_t *exit_frame, ompd_frame_info_t *enter_frame)
{
	const struct handle *task;
	struct reader reader;
	struct suspension below;
	ompd_addr_t enter;
	ompd_rc_t rc = handle_open(
	    task_handle, HANDLE_TASK, enter_frame != NULL ? exit_frame : NULL, &reader, &task);

	if (rc != ompd_rc_ok)
		return rc;
	below = walk_below(&reader, task->address);
	enter = find_enter_frame(&reader, task->address);
	if (reader.rc != ompd_rc_ok)
		return reader.rc;
	*exit_frame = frame_info(below.frame);
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): handle_open() refused NULL */
	*enter_frame = frame_info(enter);
	return ompd_rc_ok;
}
