/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Schedules of single loops: the numbers of their kinds, which are those of omp_sched_t, and the
 * routine of the bundled runtime that gives a schedule to one execution of one loop. Other runtimes
 * have no such routine.
 */
#ifndef SHARED_LOOP_SCHEDULE_H
#define SHARED_LOOP_SCHEDULE_H

#include <stddef.h>
#include <string.h>

enum loop_schedule_kind {
	LOOP_SCHEDULE_NONE,
	LOOP_SCHEDULE_STATIC,
	LOOP_SCHEDULE_DYNAMIC,
	LOOP_SCHEDULE_GUIDED
};

/* chunk 0: none is given, so that static divides the iterations into one block for each thread. */
struct loop_schedule {
	enum loop_schedule_kind kind;
	int chunk;
};

/*
 * A section of programs and libraries: each loop that may get another schedule as a string that
 * ends with NUL, "FILE:LINE=KIND" or "FILE:LINE=KIND,CHUNK", and those that the program itself has
 * with schedule(runtime), "FILE:LINE=runtime". Empty strings may be between them.
 */
#define LOOP_SCHEDULE_SECTION "ompinst_loops"
#define LOOP_SCHEDULE_RUNTIME "runtime"

/* The variable with schedules of loops, which has such strings with ';' between them. */
#define LOOP_SCHEDULE_SETTING "POMP_LOOP_SCHEDULES"

/*
 * The same for taskloops whose grain may change, "FILE:LINE=grainsize" or "FILE:LINE=num_tasks",
 * and for tasks with a cut-off, "FILE:LINE=final" or "FILE:LINE=if",
 * and the variable with numbers for them, "FILE:LINE=N;...", also "*N" and "/N".
 */
#define TASK_GRAIN_SECTION "ompinst_tasks"
#define TASK_GRAIN_SETTING "POMP_TASK_GRAINS"

/* The variable with numbers of threads of parallel regions, "FILE:LINE=THREADS;...". */
#define REGION_THREADS_SETTING "POMP_REGION_THREADS"

static inline const char *loop_schedule_name(enum loop_schedule_kind kind)
{
	static const char *const names[] = {"", "static", "dynamic", "guided"};

	return names[kind];
}

/* The kind with this name, which need not end in NUL; LOOP_SCHEDULE_NONE if there is none. */
static inline enum loop_schedule_kind loop_schedule_find(const char *name, size_t length)
{
	enum loop_schedule_kind kind = LOOP_SCHEDULE_GUIDED;

	while (
	    kind != LOOP_SCHEDULE_NONE && (strlen(loop_schedule_name(kind)) != length ||
					      strncmp(loop_schedule_name(kind), name, length) != 0))
		kind--;
	return kind;
}

/*
 * The next loop with schedule(runtime) that the calling thread begins in its innermost team has
 * this schedule; run-sched-var is neither read nor written for it. Its pieces are noted (NULL: they
 * are not); `marks` stays valid until the loop has ended. kind 0: that is no longer so.
 */
#define LOOP_SCHEDULE_ROUTINE "ompinst_next_loop"
struct loop_marks;
typedef void loop_schedule_routine(int kind, int chunk, struct loop_marks *marks);

/*
 * Loops whose iterations `ompinst race run` divides otherwise in each run. A loop without a
 * schedule clause has def-sched-var's schedule, which is the implementation's choice
 * (OpenMP 5.2, 11.5.3). `ompinst race` adds DIVIDED_LOOP_CLAUSE to it, with a chunk that nobody
 * writes. For the bundled runtime such a loop is static, with the chunk of RACE_CHUNK (race-log.h),
 * or with one part for each thread as compilers make it. For other runtimes it is a dynamic loop.
 */
#define DIVIDED_LOOP_CHUNK  1073741789
#define DIVIDED_LOOP_KIND   "dynamic, 1073741789"
#define DIVIDED_LOOP_CLAUSE "schedule(" DIVIDED_LOOP_KIND ")"

/*
 * The same for the lanes of a simd loop. `ompinst race` makes it a loop in a region of one thread,
 * with a chunk that is this number and that of its safelen clause, if it has one. For other
 * runtimes the thread executes the loop in one piece. For the bundled one, when it looks for races,
 * a region with these clauses is that of a simd loop.
 */
#define LANE_LOOP_CHUNK   1090000000
#define LANE_LOOP_KIND    "dynamic,1090000000"
#define LANE_LOOP_THREADS "num_threads(1) proc_bind(spread)"

#endif
