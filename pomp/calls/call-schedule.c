/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of pomp.h around a loop whose schedule may be changed. The bundled runtime gives a
 * schedule to the thread's next loop alone, and nothing else sees it. With any other runtime,
 * run-sched-var of the thread's task has the schedule while the loop is executed: what the loop
 * calls sees it there. Therefore ompinst, if it links another runtime, makes these calls only
 * around loops that call nothing.
 */
#include "mark-loops.h"
#include "loop-schedules.h"
#include "measurement.h"
#include "plain-name.h"
#include "runtime-routine.h"

#include "pomp-atomics.h"

typedef void get_schedule_routine(unsigned *kind, int *chunk);
typedef void set_schedule_routine(unsigned kind, int chunk);

/* Never NULL once they are looked up: ABSENT is a routine that the runtime does not have. */
static _Atomic(runtime_routine *) next_schedule, get_schedule, set_schedule;

static void absent(void)
{
}

/*
 * Relaxed: only the address itself is read, and threads that look it up at the same time find the
 * same one.
 */
static runtime_routine *look_up(
    _Atomic(runtime_routine *) *known, const char *name, const void *caller)
{
	runtime_routine *found = load_relaxed(known);

	if (unlikely(found == NULL)) {
		found = pomp_runtime_routine(name, caller);
		if (found == NULL)
			found = absent;
		store_relaxed(known, found);
	}
	return found != absent ? found : NULL;
}

pomp_handle pomp_schedule_set(OMPRegDescr *region, int kind, int chunk)
{
	const void *caller = __builtin_return_address(0);
	unsigned old_kind = 0;
	int old_chunk = 0;

	pomp_measurement_start(); /* reads the settings, whether or not it measures */
	struct loop_schedule schedule = pomp_loop_schedule_of(
	    region, (struct loop_schedule){(enum loop_schedule_kind)kind, chunk});
	loop_schedule_routine *next =
	    (loop_schedule_routine *)look_up(&next_schedule, LOOP_SCHEDULE_ROUTINE, caller);
	if (likely(next != NULL)) {
		struct loop_marks *marks = pomp_marks_begin(region, schedule);
		next((int)schedule.kind, schedule.chunk, marks);
		return (pomp_handle)(uintptr_t)marks;
	}
	get_schedule_routine *get =
	    (get_schedule_routine *)look_up(&get_schedule, "omp_get_schedule", caller);
	set_schedule_routine *set =
	    (set_schedule_routine *)look_up(&set_schedule, "omp_set_schedule", caller);
	if (get == NULL || set == NULL)
		return 0;
	get(&old_kind, &old_chunk);
	set(schedule.kind, schedule.chunk);
	return (pomp_handle)old_kind << 32 | (unsigned)old_chunk;
}
PLAIN_NAME(pomp_schedule_set)

void pomp_schedule_reset(pomp_handle before)
{
	runtime_routine *next = load_relaxed(&next_schedule), *set = load_relaxed(&set_schedule);

	/* A loop without iterations may not have begun, and its schedule is for no other one. */
	if (next != NULL && next != absent) {
		((loop_schedule_routine *)next)(LOOP_SCHEDULE_NONE, 0, NULL);
		if (before != 0)
			pomp_marks_end((struct loop_marks *)(uintptr_t)before);
	} else if (before != 0 && set != NULL && set != absent) {
		((set_schedule_routine *)set)((unsigned)(before >> 32), (int)(unsigned)before);
	}
}
PLAIN_NAME(pomp_schedule_reset)
