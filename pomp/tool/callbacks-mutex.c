/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The callbacks for mutual exclusion. The wait id identifies a lock. Calls of the runtime from
 * libpomp's own lock routines are already measured there.
 */
#include "tool.h"

#include <stddef.h>

static const void *lock_of(ompt_wait_id_t wait)
{
	return (const void *)(uintptr_t)wait;
}

static bool is_construct(ompt_mutex_t kind, enum construct_id *construct)
{
	switch (kind) {
	case ompt_mutex_critical:
		*construct = CONSTRUCT_CRITICAL;
		return true;
	case ompt_mutex_ordered:
		*construct = CONSTRUCT_ORDERED;
		return true;
	case ompt_mutex_atomic:
		*construct = CONSTRUCT_ATOMIC;
		return true;
	case ompt_mutex_lock:
	case ompt_mutex_test_lock:
	case ompt_mutex_nest_lock:
	case ompt_mutex_test_nest_lock:
		break;
	}
	return false;
}

static bool is_nestable(ompt_mutex_t kind)
{
	return kind == ompt_mutex_nest_lock || kind == ompt_mutex_test_nest_lock;
}

static enum trace_log_routine routine_that_asks(ompt_mutex_t kind)
{
	switch (kind) {
	case ompt_mutex_test_lock:
		return TRACE_LOG_ROUTINE_test_lock;
	case ompt_mutex_nest_lock:
		return TRACE_LOG_ROUTINE_set_nest_lock;
	case ompt_mutex_test_nest_lock:
		return TRACE_LOG_ROUTINE_test_nest_lock;
	default:
		return TRACE_LOG_ROUTINE_set_lock;
	}
}

void tool_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned implementation,
    ompt_wait_id_t wait, const void *codeptr_ra)
{
	enum construct_id construct;

	(void)hint;
	(void)implementation;
	if (is_construct(kind, &construct))
		pomp_code_mutex_acquire(construct, tool_return_address(codeptr_ra), lock_of(wait));
	else if (!pomp_code_is_own(codeptr_ra))
		pomp_code_lock_asked(routine_that_asks(kind), lock_of(wait));
}

void tool_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait, const void *codeptr_ra)
{
	enum construct_id construct;

	if (is_construct(kind, &construct))
		pomp_code_mutex_acquired(construct);
	else if (!pomp_code_is_own(codeptr_ra))
		pomp_code_lock_acquired(lock_of(wait), false);
}

void tool_mutex_released(ompt_mutex_t kind, ompt_wait_id_t wait, const void *codeptr_ra)
{
	enum construct_id construct;

	if (is_construct(kind, &construct))
		pomp_code_mutex_released(construct);
	else if (!pomp_code_is_own(codeptr_ra))
		pomp_code_lock_released(is_nestable(kind) ? TRACE_LOG_ROUTINE_unset_nest_lock
							  : TRACE_LOG_ROUTINE_unset_lock,
		    lock_of(wait), true);
}

/* The owner of a nestable lock sets it once more, or unsets it but still has it. */
void tool_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait, const void *codeptr_ra)
{
	if (pomp_code_is_own(codeptr_ra))
		return;
	if (endpoint == ompt_scope_begin)
		pomp_code_lock_acquired(lock_of(wait), true);
	else
		pomp_code_lock_released(TRACE_LOG_ROUTINE_unset_nest_lock, lock_of(wait), false);
}

void tool_lock_init(ompt_mutex_t kind, unsigned hint, unsigned implementation, ompt_wait_id_t wait,
    const void *codeptr_ra)
{
	(void)hint;
	(void)implementation;
	if (!pomp_code_is_own(codeptr_ra))
		pomp_code_lock_routine(is_nestable(kind) ? TRACE_LOG_ROUTINE_init_nest_lock
							 : TRACE_LOG_ROUTINE_init_lock,
		    lock_of(wait), codeptr_ra);
}

void tool_lock_destroy(ompt_mutex_t kind, ompt_wait_id_t wait, const void *codeptr_ra)
{
	if (!pomp_code_is_own(codeptr_ra))
		pomp_code_lock_routine(is_nestable(kind) ? TRACE_LOG_ROUTINE_destroy_nest_lock
							 : TRACE_LOG_ROUTINE_destroy_lock,
		    lock_of(wait), NULL);
}
