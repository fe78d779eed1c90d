/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks: the one that a thread executes, the one that generated it, the one that its thread
 * suspended for it; where their code begins and where it lies on the stack.
 */
#include <stddef.h>

#include "handles.h"
#include "walk.h"

/*
 * The task that the thread executes; freed by ompd_rel_task_handle(). On failure *task_handle is
 * untouched.
 *   ompd_rc_unavailable   a worker between two regions
 *   ompd_rc_bad_input     task_handle is NULL
 *   ompd_rc_stale_handle  thread_handle is none of a thread
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
 * The task that encountered the construct; ompd_rc_unavailable: an initial task. Otherwise as
 * above.
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
 * The task that the executing thread suspended for it. ompd_rc_unavailable: none, or the task is
 * not being executed. Otherwise as above.
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
 * The implicit task of member `thread_num` of the region.
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
 * The outlined function of the program that holds the task's code: of a parallel construct for its
 * implicit tasks.
 *   ompd_rc_unavailable   an initial task, which is all of the program
 *   ompd_rc_bad_input     entry_point is NULL
 *   ompd_rc_stale_handle  task_handle is none of a task
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

/* The frame between the task and the one above it on the thread's stack, 0: none there. */
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
 * The frame by which the task entered the runtime: it lies below another on some thread's stack.
 * 0: it executes the program's code, or waits in the runtime itself. An implicit task is its
 * member's thread's; of an explicit one it is not known which thread has it.
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
 * Where the task's part of the stack begins and, when it is suspended, ends: frames of the runtime,
 * each as an address within. Address 0: there is no such frame (an initial task was not called by
 * the runtime, a running one has not entered it), or the program called GOMP_parallel_start().
 *   ompd_rc_bad_input     a NULL argument
 *   ompd_rc_stale_handle  task_handle is none of a task
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
