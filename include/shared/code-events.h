/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What libpomp_tool.so, the measurement tool of OpenMP runtimes (OMPT), calls in libpomp.so: the
 * events of constructs that are identified by the address of their code. They have the same meaning
 * as the calls of pomp.h, with these differences:
 *
 *   - No call has a descriptor. A call that enters gives the construct and an address; a call that
 *     leaves refers to the innermost such construct that is open on the calling thread.
 *   - A construct that the program's own calls of pomp.h already measure is left out here, so a
 *     program may be instrumented in part. The runtime was then called from within that construct,
 *     which is on top of the thread's region stack.
 *   - Runtimes report some ends late or not at all: see pomp_code_work_end() and pomp_code_end().
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
 * The tool is loaded. If nothing then reports events, nothing is printed: that a program is not
 * instrumented is not worth reporting.
 */
void pomp_code_tool_loaded(void);

/*
 * Returns whether this process has executed anything that was measured, including by calls of
 * pomp.h. The library that `ompinst run` preloads calls it at the end and finds it by its name.
 */
bool pomp_code_has_regions(void);

/*
 * For the library that `ompinst run` preloads, which finds it by its name: ends the measurement and
 * prints where the initial thread's time went if the process has executed nothing that was
 * measured; false: there was too little time, or the process did execute something.
 */
bool pomp_code_tell_serial(void);

/* Where a construct is. */
struct code_address {
	const void *address; /* NULL: unknown; all unknown places of a construct are one region */
	enum code_at at;
	bool is_gnu;        /* see struct code_place */
	const void *caller; /* for an entry: return address of the runtime call, or NULL */
};

/* A parallel region that the program's own calls measure. */
#define POMP_CODE_MEASURED UINT64_C(1)

/*
 * A parallel region: fork and join are called on the thread that encounters it, begin and end on
 * each thread of the team, with the thread's number and the team's size. fork returns the region's
 * handle for begin and join, or 0 when the region is not measured. begin returns whether the caller
 * must call end.
 *
 * On threads other than the forking one, end may come late, even after the next fork there, or
 * never: between pomp_code_barrier_enter(CONSTRUCT_PARALLEL) and the join such a thread waits, and
 * after the join it is no longer in the team.
 */
uint64_t pomp_code_fork(struct code_address where);
bool pomp_code_begin(uint64_t fork, uint32_t number, uint32_t size);
void pomp_code_end(void);
void pomp_code_join(uint64_t fork);

/* A complete construct, including one that only waits. */
void pomp_code_enter(enum construct_id construct, struct code_address where);
void pomp_code_leave(enum construct_id construct);

/*
 * The same for a masked block or a taskgroup that the next event may attribute to another
 * construct.
 */
void pomp_code_enter_later(enum construct_id construct, struct code_address where);

/*
 * Enters a taskloop. The runtime may have reported a taskgroup around it, at the address `group` or
 * at the taskloop's own: that taskgroup is taken back, and its end ends the taskloop. With some
 * runtimes only the taskgroup has an address; then `where` has none, and neither have the tasks
 * that the taskloop creates.
 */
void pomp_code_taskloop_enter(struct code_address where, const void *group);

/* The block of a single, on the thread that executes it. */
void pomp_code_block_begin(enum construct_id construct);
void pomp_code_block_end(enum construct_id construct);

/*
 * The work of a work-sharing construct ends. If the construct has an implicit barrier, that is the
 * thread's next event and the construct ends with it; otherwise the construct has ended here.
 */
void pomp_code_work_end(enum construct_id construct);

/*
 * The implicit barrier of the latest work-sharing construct, or a barrier of the parallel region:
 * its last one if `of` is CONSTRUCT_PARALLEL. `where` applies if there is no such construct.
 */
void pomp_code_barrier_enter(enum construct_id of, struct code_address where);
void pomp_code_barrier_leave(void);

/* The wait at the end of a taskgroup. */
void pomp_code_group_wait_enter(void);
void pomp_code_group_wait_leave(void);

/*
 * A critical, ordered or atomic: the thread asks to enter, has entered, and has left. Criticals
 * with the same name share `lock`.
 */
void pomp_code_mutex_acquire(
    enum construct_id construct, struct code_address where, const void *lock);
void pomp_code_mutex_acquired(enum construct_id construct);
void pomp_code_mutex_released(enum construct_id construct);

/*
 * A lock variable: a routine that acquires it was called (asked), the lock was acquired, or the
 * given `routine` released it. The owner of a nestable lock may acquire it once more; it then
 * releases the lock as many times, the last time with at_last. A routine that tests may end without
 * having acquired the lock. A routine that does neither (init, destroy) has one event;
 * `init_returns` is the return address of the call of init, and NULL for destroy.
 */
void pomp_code_lock_asked(enum trace_log_routine routine, const void *lock);
void pomp_code_lock_acquired(const void *lock, bool once_more);
void pomp_code_lock_released(enum trace_log_routine routine, const void *lock, bool at_last);
void pomp_code_lock_routine(
    enum trace_log_routine routine, const void *lock, const void *init_returns);

/* An explicit task. The caller owns this memory, from creation to completion. */
struct code_task {
	uint64_t number; /* 0: not measured */
	void *region;
	const void *thread; /* the thread whose region stack holds it; NULL: none */
	bool undeferred, begun;
};

/*
 * Creation of a task; afterwards a thread begins to execute it, may suspend it and resume it, even
 * on another thread, and ends it. If another task runs on top of it on the same thread, no
 * suspension is reported.
 */
void pomp_code_task_create(struct code_task *task, struct code_address where, bool undeferred);
void pomp_code_task_begin(struct code_task *task);
void pomp_code_task_suspend(struct code_task *task);
void pomp_code_task_end(struct code_task *task);

/*
 * Sets how libpomp finds out which frames of the calling thread's stack belong to the task with
 * that number: those below the returned address, and perhaps some of the runtime's. 0: the thread
 * does not execute the task's code. It is also called in signal handlers.
 */
typedef uintptr_t pomp_code_task_frame(uint64_t number);
void pomp_code_find_task_frames_by(pomp_code_task_frame *find);

/*
 * The caller had no memory for a task, which is therefore not measured; the report mentions that.
 */
void pomp_code_task_without_memory(void);

/* Returns a value that identifies the calling thread, to be compared with code_task.thread. */
const void *pomp_code_thread(void);

/* Returns whether code at the address is libpomp's own, which calls the runtime for the program. */
bool pomp_code_is_own(const void *address);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
