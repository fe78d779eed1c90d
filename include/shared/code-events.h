/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What libpomp_tool.so, the measurement tool of OpenMP runtimes (OMPT), calls in libpomp.so: the
 * events of constructs that are known by the address of their code. They mean what the calls of
 * pomp.h mean, with these differences:
 *
 *   - No call has a descriptor. One that enters gives the construct and an address; one that leaves
 *     means the innermost such construct that is open on the calling thread.
 *   - A construct that the program's own calls of pomp.h measure already is left out here, so that
 *     a program may be half instrumented and half not: the call of the runtime was then made from
 *     within that construct, which is on top of the thread's stack of regions.
 *   - Runtimes report some ends late, or not at all: see pomp_code_work_end() and pomp_code_end().
 */
#ifndef SHARED_CODE_EVENTS_H
#define SHARED_CODE_EVENTS_H

#include "code-names.h"
#include "constructs.h"
#include "trace-log.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * The tool is loaded. Where nothing reports events then, there is nothing to print: that a program
 * is not instrumented is no news.
 */
void pomp_code_tool_loaded(void);

/*
 * Has this process executed anything that was measured, also by calls of pomp.h? Called at the end
 * by the library that `ompinst run` preloads, which finds it by its name.
 */
bool pomp_code_has_regions(void);

/* Where a construct is. */
struct code_address {
	const void *address; /* NULL: unknown; all unknown places of a construct are one region */
	enum code_at at;
	bool is_gnu;        /* as in struct code_place */
	const void *caller; /* of an entry: where the call of the runtime returns to, or NULL */
};

/* A parallel region that the program's own calls measure. */
#define POMP_CODE_MEASURED UINT64_C(1)

/*
 * A parallel region: fork and join on the thread that encounters it, begin and end on each thread
 * of the team, with its number and the team's size. fork returns the region's handle for begin and
 * join, 0 when it is not measured. begin returns whether it has to have an end.
 *
 * end may come late on threads other than the forking one, even after the next fork there, or
 * never: between pomp_code_barrier_enter(CONSTRUCT_PARALLEL) and the join a thread waits, and after
 * that it is out of the team.
 */
uint64_t pomp_code_fork(struct code_address where);
bool pomp_code_begin(uint64_t fork, uint32_t number, uint32_t size);
void pomp_code_end(void);
void pomp_code_join(uint64_t fork);

/* A construct as a whole; one that only waits, too. */
void pomp_code_enter(enum construct_id construct, struct code_address where);
void pomp_code_leave(enum construct_id construct);

/* The same of a masked block or a taskgroup, which the next event may show to be another's. */
void pomp_code_enter_later(enum construct_id construct, struct code_address where);

/*
 * Enters a taskloop. Where a runtime reports its taskgroup around it, that is taken back, and the
 * taskloop ends with it: it has the address `group`, or that of the taskloop. Some know only of the
 * taskgroup where it is: then `where` has no address, nor have the tasks that the taskloop creates.
 */
void pomp_code_taskloop_enter(struct code_address where, const void *group);

/* The block of a single, on the thread that executes it. */
void pomp_code_block_begin(enum construct_id construct);
void pomp_code_block_end(enum construct_id construct);

/*
 * A work-sharing construct's work ends. Its implicit barrier, if it has one, is the thread's next
 * event; then the construct ends with the barrier, otherwise it ended here.
 */
void pomp_code_work_end(enum construct_id construct);

/*
 * The implicit barrier of the work-sharing construct that ended last, or one of the parallel
 * region: its last one if `of` is CONSTRUCT_PARALLEL. `where`: what it counts as where there is
 * neither.
 */
void pomp_code_barrier_enter(enum construct_id of, struct code_address where);
void pomp_code_barrier_leave(void);

/* The wait at the end of a taskgroup. */
void pomp_code_group_wait_enter(void);
void pomp_code_group_wait_leave(void);

/*
 * A critical, ordered or atomic: the thread wants to enter, is in, and has left it. `lock` is what
 * criticals of the same name share.
 */
void pomp_code_mutex_acquire(
    enum construct_id construct, struct code_address where, const void *lock);
void pomp_code_mutex_acquired(enum construct_id construct);
void pomp_code_mutex_released(enum construct_id construct);

/*
 * A lock variable: a routine was called that acquires it, the lock was acquired, and it was
 * released; `routine` that did so. The owner of a nestable lock may acquire it once more, and then
 * gives it back so often before it releases it at last. A routine that tests may end without having
 * acquired it. A routine that does neither (init, destroy) has one event. `init_returns`: where the
 * call of init returns to, of destroy NULL.
 */
void pomp_code_lock_asked(enum trace_log_routine routine, const void *lock);
void pomp_code_lock_acquired(const void *lock, bool once_more);
void pomp_code_lock_released(enum trace_log_routine routine, const void *lock, bool at_last);
void pomp_code_lock_routine(
    enum trace_log_routine routine, const void *lock, const void *init_returns);

/* An explicit task. Its memory is the caller's, from creation to completion. */
struct code_task {
	uint64_t number; /* 0: not measured */
	void *region;
	const void *thread; /* on whose stack of regions it is; NULL: on none */
	bool undeferred, begun;
};

/*
 * Creation; afterwards a thread begins to execute the task, perhaps suspends it and goes on, on
 * another thread too, and ends it. A task below another one on the same thread needs no such call.
 */
void pomp_code_task_create(struct code_task *task, struct code_address where, bool undeferred);
void pomp_code_task_begin(struct code_task *task);
void pomp_code_task_suspend(struct code_task *task);
void pomp_code_task_end(struct code_task *task);

/* The caller had no memory for a task, which is not measured: the report says so. */
void pomp_code_task_without_memory(void);

/* Something of the calling thread by which code_task.thread is compared. */
const void *pomp_code_thread(void);

/* Whether code at the address is libpomp's own: it calls the runtime for the program. */
bool pomp_code_is_own(const void *address);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
