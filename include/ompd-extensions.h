/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What libompd.so reports beyond OpenMP 5.2's OMPD: all threads and tasks of a process,
 * dependences, and which threads wait for which. Any debugger that has loaded the library may use
 * it; the gdb commands do.
 *
 * Objects are identified by the address of the runtime's record (a task, a region) or by the
 * kernel's number (a thread). All functions fill arrays of the caller: the first `room` elements,
 * while *count becomes the number of existing elements. They return the same as ompd_ functions:
 *
 *   ompd_rc_bad_input     an argument is NULL (an array may be NULL when room is 0)
 *   ompd_rc_stale_handle  the handle is not one of a process
 *   ompd_rc_incompatible  the runtime is too old for this request
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
	ompdx_task_blocked = 2,   /* it depends on tasks that are not completed */
	ompdx_task_running = 3,   /* the current task of a thread */
	ompdx_task_suspended = 4, /* below the current task of a thread */
	ompdx_task_detached = 5,  /* its code has run, but its event is not fulfilled */
	ompdx_task_ended = 6      /* it is completed, but tasks that it generated are not */
} ompdx_task_state_t;

#define OMPDX_TASK_STATES 7 /* one more than the last */

typedef enum ompdx_task_flag_t {
	ompdx_task_implicit = 1,
	ompdx_task_untied = 2,
	ompdx_task_final = 4,
	ompdx_task_detachable = 8
} ompdx_task_flag_t;

typedef struct ompdx_task_t {
	ompd_addr_t task;        /* record of the task */
	ompd_addr_t generating;  /* record of the task that generated it, 0: an initial task */
	ompd_addr_t region;      /* record of its region */
	ompd_addr_t function;    /* 0: an initial task */
	ompd_addr_t data;        /* argument of the function */
	ompd_addr_t creator;     /* function of the task that generated it; 0: an initial task */
	ompd_addr_t site;        /* where the program generated it; 0: OMP_DEBUG was off */
	ompd_thread_id_t thread; /* the kernel's number of the thread that has begun it, else 0 */
	uint64_t
	    count; /* ready: number of tasks of a taskloop that are not generated yet; else 1 */
	uint32_t state;    /* ompdx_task_state_t */
	uint32_t flags;    /* ompdx_task_flag_t */
	uint32_t above;    /* suspended: number of tasks above it on its thread */
	uint32_t level;    /* nesting level of its region */
	uint32_t number;   /* implicit: omp_get_thread_num() */
	uint32_t blockers; /* blocked: number of tasks it still waits for */
	int32_t priority;
	uint32_t padding;
} ompdx_task_t;

/*
 * Returns all tasks whose state's bit (1 << state) is in `states`; implicit ones only on request.
 */
ompd_rc_t ompdx_get_tasks(ompd_address_space_handle_t *process, uint32_t states, int with_implicit,
    ompdx_task_t *tasks, ompd_size_t room, ompd_size_t *count);

/*
 * What a thread that the runtime knows does. Meant for processes that run meanwhile: a record that
 * changes while it is read costs one thread, not the whole answer.
 */
typedef struct ompdx_thread_t {
	ompd_thread_id_t thread; /* the kernel's number */
	ompd_addr_t region;    /* record of its innermost region, 0: a worker between two regions */
	ompd_addr_t function;  /* the region's; 0: an initial thread's region, or none */
	ompd_addr_t task;      /* record of its current task, 0: none */
	ompd_wait_id_t object; /* as from ompd_get_state() */
	uint64_t until;        /* differs between two waits of a task at the same team's barrier */
	uint32_t state;        /* ompt_state_t */
	uint32_t level;        /* nesting level of the region */
	uint32_t number;       /* omp_get_thread_num() in the region */
	uint32_t size;         /* the region's number of threads */
	uint32_t problem;      /* ompd_rc_ok, or why all above except `thread` is 0 */
	uint32_t padding;
} ompdx_thread_t;

/* Returns all threads that the runtime knows. */
ompd_rc_t ompdx_get_threads(ompd_address_space_handle_t *process, ompdx_thread_t *threads,
    ompd_size_t room, ompd_size_t *count);

/* The number of explicit tasks with the same code, by state. */
typedef struct ompdx_task_group_t {
	ompd_addr_t function;
	uint64_t count[OMPDX_TASK_STATES]; /* by state */
} ompdx_task_group_t;

ompd_rc_t ompdx_get_task_groups(ompd_address_space_handle_t *process, ompdx_task_group_t *groups,
    ompd_size_t room, ompd_size_t *count);

/* A task that waits until another one completes because of their depend clauses. */
typedef struct ompdx_dependence_t {
	ompd_addr_t task, waits_for;
} ompdx_dependence_t;

ompd_rc_t ompdx_get_dependences(ompd_address_space_handle_t *process,
    ompdx_dependence_t *dependences, ompd_size_t room, ompd_size_t *count);

/*
 * A wait of a thread's current task (above == 0), or of a task that the thread suspended to execute
 * another. A thread whose current task has no wait is executing the program.
 */
typedef struct ompdx_wait_t {
	ompd_thread_id_t thread; /* the kernel's number */
	ompd_addr_t task;
	ompd_addr_t region;
	ompd_wait_id_t object;  /* as from ompd_get_state() */
	ompd_addr_t frame;      /* in the stack: of the runtime's function that called the task's
				   function; 0: unknown */
	uint64_t iteration;     /* ordered: the iteration that must come first, counted from 0 */
	uint64_t first_need;    /* index of the first of its needs ... */
	uint64_t need_count;    /* ... and their number; waits share them */
	uint32_t state;         /* ompt_state_t */
	uint32_t above;         /* number of tasks above this one on its thread */
	uint8_t executes_tasks; /* meanwhile it executes queued tasks of its region */
	uint8_t is_over;        /* what it waits for has happened, but it has not continued yet */
	uint8_t is_sink;        /* ordered: of a depend(sink) clause, not an ordered region */
	uint8_t is_unnamed;     /* critical: the unnamed one */
	uint8_t is_stuck;       /* it cannot end, whatever the active threads do */
	uint8_t interrupted;    /* number of waits that the task began within this one (in a signal
				   handler) and that must end first */
	uint8_t padding[2];
} ompdx_wait_t;

/* What must act before a wait can end: all of its needs, each in one of these ways. */
typedef enum ompdx_need_kind_t {
	ompdx_need_thread = 1, /* the thread with this number holds the object */
	ompdx_need_task = 2,   /* the task with this record must arrive or complete */
	ompdx_need_region = 3, /* a thread of this region must take the iteration */
	ompdx_need_left = 4,   /* the task with this record has passed the place */
	ompdx_need_unknown =
	    5, /* unknown who; id: 0, the object's record or a member's implicit task */
	ompdx_need_ended = 6,  /* the thread with this number, or the one that had begun the task
				  with this record, has ended */
	ompdx_need_jumped = 7, /* the thread has left the task with this record (longjmp) */
	ompdx_need_passed = 8, /* doacross: a thread of this region took the iteration and no thread
				  has it now: it was never posted, and will not be */
	ompdx_need_no_lock = 9 /* the object's memory contains no lock: it was not initialised, or
				  is something else; id: 0 */
} ompdx_need_kind_t;

typedef struct ompdx_need_t {
	uint64_t id;
	ompd_addr_t function;    /* the task's; 0 otherwise, or for an initial task */
	ompd_thread_id_t thread; /* the one meant, or which has begun the task; 0: none */
	ompd_addr_t frame;       /* in the stack: of the runtime's function that called the task's
				    function; 0: unknown */
	uint32_t kind;           /* ompdx_need_kind_t */
	uint32_t state; /* ompdx_need_task: ompdx_task_state_t; ompdx_need_ended: 0 if id is a
			   thread's */
} ompdx_need_t;

/* The runtime knows all threads of the process: no other thread can fulfill a task's event. */
#define OMPDX_ALL_THREADS_KNOWN 1u

/* The debugger has filled `blocked` and blocked_count, which are not read otherwise. */
#define OMPDX_WITH_BLOCKED 2u

/*
 * A thread that is blocked in a call outside of OpenMP, for example in pthread_mutex_lock(), while
 * it executes the program or a signal handler; the runtime need not know it. With
 * OMPDX_ALL_THREADS_KNOWN all threads are known to the runtime or are among these.
 */
typedef struct ompdx_blocked_t {
	ompd_thread_id_t thread; /* the kernel's number */
	ompd_thread_id_t by;     /* the thread that must act; 0: any thread could; the same number
				    as `thread`: none can */
	uint32_t is_stuck;       /* set by the library: the call cannot end */
	uint32_t padding;
} ompdx_blocked_t;

/*
 * What only the debugger can see, on the threads' stacks. An array may be NULL when its count is 0.
 */
typedef struct ompdx_observed_t {
	const ompd_addr_t *jumped; /* records of tasks that their threads left by longjmp */
	ompd_size_t jumped_count;
	const ompd_thread_id_t *acting; /* threads that execute the program in the middle of a wait,
					   in a signal handler; the kernel's numbers */
	ompd_size_t acting_count;
	ompdx_blocked_t *blocked; /* at most one of each thread */
	ompd_size_t blocked_count;
} ompdx_observed_t;

/*
 * Returns all waits with their needs. For a wait for tasks, some of its needs may be left out. If
 * the arrays are too small, they contain as many as fit, and a wait's first_need may be beyond the
 * end.
 *
 * A wait is only reported as stuck if there is no way out: a thread that executes the program can
 * do anything, and an object without a known holder may be released. The debugger's
 * get_thread_context_for_thread_id reports threads that have ended by ompd_rc_unavailable.
 * `observed` is NULL if the debugger has not looked.
 */
ompd_rc_t ompdx_get_waits(ompd_address_space_handle_t *process, uint32_t flags,
    const ompdx_observed_t *observed, ompdx_wait_t *waits, ompd_size_t room, ompd_size_t *count,
    ompdx_need_t *needs, ompd_size_t need_room, ompd_size_t *need_count);

/*
 * Reads, on the debugger's machine, the counter that libpomp's ticks come from, so that the
 * debugger can find the length of a tick; 0 if there is none. May be called before
 * ompd_initialize().
 */
uint64_t ompdx_read_counter(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
