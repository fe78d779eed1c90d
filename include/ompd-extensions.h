/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What libompd.so tells beyond OpenMP 5.2's OMPD: all tasks of a process with their dependences. Any debugger that has loaded the library may ask; the gdb commands do.
 *
 * Objects are known by the address of the runtime's record (a task, a region) or by the kernel's
 * number (a thread). All functions fill arrays of the caller: the first `room` elements, while *count
 * becomes how many there are. They return what ompd_ functions do:
 *   ompd_rc_bad_input     a NULL argument (an array may be NULL when room is 0)
 *   ompd_rc_stale_handle  the handle is none of a process
 *   ompd_rc_incompatible  the runtime is older than what was asked for
 *   any other             what a callback returned, or ompd_rc_error: the data make no sense
 */
#ifndef OMPD_EXTENSIONS_H
#define OMPD_EXTENSIONS_H

#include "omp-tools.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* What a task is doing. */
typedef enum ompdx_task_state_t {
	ompdx_task_ready = 1,     /* queued; any thread of its team may take it */
	ompdx_task_blocked = 2,   /* tasks that it depends on are not completed */
	ompdx_task_running = 3,   /* the current task of a thread */
	ompdx_task_suspended = 4, /* below the current task of a thread */
	ompdx_task_detached = 5,  /* its code has run, its event is not fulfilled */
	ompdx_task_ended = 6      /* it is completed, tasks that it generated are not */
} ompdx_task_state_t;

#define OMPDX_TASK_STATES 7 /* one more than the last */

typedef enum ompdx_task_flag_t {
	ompdx_task_implicit = 1,
	ompdx_task_untied = 2,
	ompdx_task_final = 4,
	ompdx_task_detachable = 8
} ompdx_task_flag_t;

typedef struct ompdx_task_t {
	ompd_addr_t task;        /* its record */
	ompd_addr_t generating;  /* record of the task that generated it, 0: an initial task */
	ompd_addr_t region;      /* record of its region */
	ompd_addr_t function;    /* 0: an initial task */
	ompd_addr_t data;        /* what the function is called with */
	ompd_thread_id_t thread; /* the kernel's number of the thread that has begun it, else 0 */
	uint32_t state;          /* ompdx_task_state_t */
	uint32_t flags;          /* ompdx_task_flag_t */
	uint32_t above;          /* suspended: how many tasks the thread has put above it */
	uint32_t level;          /* nesting level of its region */
	uint32_t number;         /* implicit: omp_get_thread_num() */
	uint32_t blockers;       /* blocked: how many tasks it still waits for */
	int32_t priority;
	uint32_t padding;
} ompdx_task_t;

/* All tasks whose state's bit (1 << state) is in `states`; implicit ones only if asked for. */
ompd_rc_t ompdx_get_tasks(ompd_address_space_handle_t *process, uint32_t states,
    int with_implicit, ompdx_task_t *tasks, ompd_size_t room, ompd_size_t *count);

/* How many explicit tasks have this code and are in this state. */
typedef struct ompdx_task_group_t {
	ompd_addr_t function;
	uint64_t count[OMPDX_TASK_STATES]; /* by state */
} ompdx_task_group_t;

ompd_rc_t ompdx_get_task_groups(ompd_address_space_handle_t *process, ompdx_task_group_t *groups,
    ompd_size_t room, ompd_size_t *count);

/* A task that waits for another one's completion because of their depend clauses. */
typedef struct ompdx_dependence_t {
	ompd_addr_t task, waits_for;
} ompdx_dependence_t;

ompd_rc_t ompdx_get_dependences(ompd_address_space_handle_t *process,
    ompdx_dependence_t *dependences, ompd_size_t room, ompd_size_t *count);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
