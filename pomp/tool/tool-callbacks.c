/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The callbacks for threads and teams, work-sharing and synchronisation, and the table of all
 * callbacks. Data words: a parallel region's word is libpomp's handle for it; an implicit task's
 * word tells whether it was begun in libpomp.
 */
#include "tool.h"

#include <stddef.h>

/*
 * libomp reports the initial threads of a league as regions of their own, which no code of the
 * program called.
 */
static void parallel_begin(ompt_data_t *parallel, int flags, struct code_address where)
{
	if (flags & ompt_parallel_league)
		pomp_code_enter(CONSTRUCT_TEAMS, where);
	else if (where.address == NULL)
		parallel->value = POMP_CODE_MEASURED;
	else
		parallel->value = pomp_code_fork(where);
}

static void parallel_begin_of_any(ompt_data_t *task, const ompt_frame_t *frame,
    ompt_data_t *parallel, unsigned requested, int flags, const void *codeptr_ra)
{
	(void)task;
	(void)frame;
	(void)requested;
	parallel_begin(parallel, flags, tool_place(codeptr_ra, false));
}

static void parallel_begin_of_ours(ompt_data_t *task, const ompt_frame_t *frame,
    ompt_data_t *parallel, unsigned requested, int flags, const void *codeptr_ra)
{
	(void)task;
	(void)frame;
	(void)requested;
	parallel_begin(parallel, flags, tool_place(codeptr_ra, true));
}

static void parallel_end(
    ompt_data_t *parallel, ompt_data_t *task, int flags, const void *codeptr_ra)
{
	(void)task;
	(void)codeptr_ra;
	if (flags & ompt_parallel_league)
		pomp_code_leave(CONSTRUCT_TEAMS);
	else
		pomp_code_join(parallel->value);
}

/* At the end, the region's data may no longer exist. */
static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
    unsigned parallelism, unsigned number, int flags)
{
	if (flags & ompt_task_initial)
		return;
	if (endpoint == ompt_scope_begin) {
		task->value =
		    parallel != NULL && pomp_code_begin(parallel->value, number, parallelism);
	} else if (task->value != 0) {
		task->value = 0;
		pomp_code_end();
	}
}

static bool construct_of_work(ompt_work_t work, enum construct_id *construct)
{
	switch (work) {
	case ompt_work_loop:
	case ompt_work_loop_static:
	case ompt_work_loop_dynamic:
	case ompt_work_loop_guided:
	case ompt_work_loop_other:
		*construct = CONSTRUCT_FOR;
		return true;
	case ompt_work_sections:
		*construct = CONSTRUCT_SECTIONS;
		return true;
	case ompt_work_single_executor:
	case ompt_work_single_other:
		*construct = CONSTRUCT_SINGLE;
		return true;
	case ompt_work_scope:
		*construct = CONSTRUCT_SCOPE;
		return true;
	case ompt_work_distribute:
		*construct = CONSTRUCT_DISTRIBUTE;
		return true;
	case ompt_work_taskloop:
		*construct = CONSTRUCT_TASKLOOP;
		return true;
	case ompt_work_workshare: /* its parts report themselves */
		break;
	}
	return false;
}

static void begin_work(ompt_work_t work, enum construct_id construct, struct code_address where,
    const void *codeptr_ra)
{
	if (construct == CONSTRUCT_TASKLOOP)
		pomp_code_taskloop_enter(where, codeptr_ra);
	else
		pomp_code_enter(construct, where);
	if (work == ompt_work_single_executor)
		pomp_code_block_begin(construct);
}

static void end_work(ompt_work_t work, enum construct_id construct)
{
	if (work == ompt_work_single_executor)
		pomp_code_block_end(construct);
	if (construct == CONSTRUCT_TASKLOOP || construct == CONSTRUCT_DISTRIBUTE)
		pomp_code_leave(construct);
	else
		pomp_code_work_end(construct);
}

static void work_event(ompt_work_t work, ompt_scope_endpoint_t endpoint, struct code_address where,
    const void *codeptr_ra)
{
	enum construct_id construct;

	if (!construct_of_work(work, &construct))
		return;
	if (endpoint != ompt_scope_end)
		begin_work(work, construct, where, codeptr_ra);
	if (endpoint != ompt_scope_begin)
		end_work(work, construct);
}

static void work_of_any(ompt_work_t work, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
    ompt_data_t *task, uint64_t count, const void *codeptr_ra)
{
	(void)parallel;
	(void)task;
	(void)count;
	if (work == ompt_work_taskloop)
		codeptr_ra = tool_user_address(codeptr_ra);
	work_event(work, endpoint, tool_return_address(codeptr_ra), codeptr_ra);
}

/* Among these constructs, only a taskloop has an outlined function. */
static void work_of_ours(ompt_work_t work, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
    ompt_data_t *task, uint64_t count, const void *codeptr_ra)
{
	struct code_address where = {.address = codeptr_ra, .at = CODE_RETURN, .is_gnu = true};

	(void)parallel;
	(void)task;
	(void)count;
	if (work == ompt_work_taskloop && endpoint == ompt_scope_begin)
		where = tool_place(codeptr_ra, true);
	work_event(work, endpoint, where, codeptr_ra);
}

static void masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
    const void *codeptr_ra)
{
	(void)parallel;
	(void)task;
	if (endpoint == ompt_scope_begin)
		pomp_code_enter_later(CONSTRUCT_MASTER, tool_return_address(codeptr_ra));
	else
		pomp_code_leave(CONSTRUCT_MASTER);
}

static void plain_region(
    enum construct_id construct, ompt_scope_endpoint_t endpoint, const void *codeptr_ra)
{
	if (endpoint == ompt_scope_begin)
		pomp_code_enter(construct, tool_return_address(codeptr_ra));
	else if (endpoint == ompt_scope_end)
		pomp_code_leave(construct);
}

static void barrier(enum construct_id of, ompt_scope_endpoint_t endpoint, const void *codeptr_ra)
{
	if (endpoint == ompt_scope_begin)
		pomp_code_barrier_enter(of, tool_return_address(codeptr_ra));
	else if (endpoint == ompt_scope_end)
		pomp_code_barrier_leave();
}

static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel, ompt_data_t *task, const void *codeptr_ra)
{
	(void)parallel;
	switch (kind) {
	case ompt_sync_region_barrier_explicit:
	case ompt_sync_region_barrier:
		plain_region(CONSTRUCT_BARRIER, endpoint, codeptr_ra);
		break;
	case ompt_sync_region_barrier_implicit_parallel:
		if (task == NULL || task->value != 0) /* the thread is in a measured region */
			barrier(CONSTRUCT_PARALLEL, endpoint, codeptr_ra);
		break;
	case ompt_sync_region_barrier_implicit:
	case ompt_sync_region_barrier_implementation:
	case ompt_sync_region_barrier_implicit_workshare:
		barrier(CONSTRUCT_FOR, endpoint, codeptr_ra);
		break;
	case ompt_sync_region_taskwait:
		plain_region(CONSTRUCT_TASKWAIT, endpoint, codeptr_ra);
		break;
	case ompt_sync_region_taskgroup:
		if (endpoint == ompt_scope_begin)
			pomp_code_enter_later(CONSTRUCT_TASKGROUP, tool_return_address(codeptr_ra));
		else if (endpoint == ompt_scope_end)
			pomp_code_leave(CONSTRUCT_TASKGROUP);
		break;
	case ompt_sync_region_reduction:
	case ompt_sync_region_barrier_teams:
		break;
	}
}

/* Among all waits, this is the only one that is not the region itself. */
static void sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel, ompt_data_t *task, const void *codeptr_ra)
{
	(void)parallel;
	(void)task;
	(void)codeptr_ra;
	if (kind != ompt_sync_region_taskgroup)
		return;
	if (endpoint == ompt_scope_begin)
		pomp_code_group_wait_enter();
	else if (endpoint == ompt_scope_end)
		pomp_code_group_wait_leave();
}

/* Other runtimes do the reduction within their barriers, whose time it is part of. */
static void reduction_of_ours(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel, ompt_data_t *task, const void *codeptr_ra)
{
	(void)kind;
	(void)parallel;
	(void)task;
	plain_region(CONSTRUCT_REDUCTION, endpoint, codeptr_ra);
}

static void flush(ompt_data_t *thread, const void *codeptr_ra)
{
	(void)thread;
	pomp_code_enter(CONSTRUCT_FLUSH, tool_return_address(codeptr_ra));
	pomp_code_leave(CONSTRUCT_FLUSH);
}

static void target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
    ompt_data_t *task, ompt_data_t *target_task, ompt_data_t *data, const void *codeptr_ra)
{
	enum construct_id construct = CONSTRUCT_TARGET;

	(void)device;
	(void)task;
	(void)target_task;
	(void)data;
	switch (kind) {
	case ompt_target_enter_data:
	case ompt_target_enter_data_nowait:
		construct = CONSTRUCT_TARGET_ENTER_DATA;
		break;
	case ompt_target_exit_data:
	case ompt_target_exit_data_nowait:
		construct = CONSTRUCT_TARGET_EXIT_DATA;
		break;
	case ompt_target_update:
	case ompt_target_update_nowait:
		construct = CONSTRUCT_TARGET_UPDATE;
		break;
	case ompt_target:
	case ompt_target_nowait:
		break;
	}
	plain_region(construct, endpoint, codeptr_ra);
}

#define CALLBACK(name, function)                                                                   \
	{                                                                                          \
		ompt_callback_##name, (ompt_callback_t)(function)                                  \
	}
#define CALLBACKS(begin, create, works, reduces)                                                   \
	CALLBACK(parallel_begin, begin), CALLBACK(parallel_end, parallel_end),                     \
	    CALLBACK(implicit_task, implicit_task), CALLBACK(work, works),                         \
	    CALLBACK(masked, masked), CALLBACK(sync_region, sync_region),                          \
	    CALLBACK(sync_region_wait, sync_region_wait), CALLBACK(task_create, create),           \
	    CALLBACK(task_schedule, tool_task_schedule),                                           \
	    CALLBACK(mutex_acquire, tool_mutex_acquire),                                           \
	    CALLBACK(mutex_acquired, tool_mutex_acquired),                                         \
	    CALLBACK(mutex_released, tool_mutex_released), CALLBACK(nest_lock, tool_nest_lock),    \
	    CALLBACK(lock_init, tool_lock_init), CALLBACK(lock_destroy, tool_lock_destroy),        \
	    CALLBACK(flush, flush), CALLBACK(reduction, reduces), CALLBACK(target_emi, target),    \
	{                                                                                          \
		0, NULL                                                                            \
	}

const struct tool_callback tool_callbacks_of_any[] = {
    CALLBACKS(parallel_begin_of_any, tool_task_create, work_of_any, NULL)};
const struct tool_callback tool_callbacks_of_ours[] = {
    CALLBACKS(parallel_begin_of_ours, tool_task_create_ours, work_of_ours, reduction_of_ours)};
