/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The measurement interface: the functions that instrumented code calls and libpomp.so implements.
 *
 * This file is the contract for both sides. The output of `ompinst file.c` includes it, and so does
 * a program that is instrumented by hand; the compiler wrapper emits the same calls with prototypes
 * of its own. The descriptor is the one in the POMP design document ("Context Descriptors"); the
 * calls follow POMP's enter/exit and begin/end pairs:
 *   enter .. exit   around a construct, executed by every thread that encounters it
 *   begin .. end    around the part of the body that a thread executes itself
 *
 * Any thread may call any function at any time after the constructors of the thread's own object
 * ran. The functions never fail and never block on another thread. A descriptor that was never
 * registered is registered on the fly. When measurement is off, the functions return immediately.
 *
 * This header includes no other, so it can precede a program's own first line, and the macros that
 * the program defines for its system headers (_GNU_SOURCE) still work. It therefore uses the
 * compiler's names for uint64_t, int64_t and uintptr_t.
 */
#ifndef POMP_H
#define POMP_H

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * One measurement word of a descriptor, called WORD in the design document. A program that has a
 * WORD of its own defines POMP_NO_WORD before it includes this header.
 */
typedef __UINT64_TYPE__ pomp_word;
#ifndef POMP_NO_WORD
typedef pomp_word WORD;
#endif

/*
 * In objects a call has a reserved symbol, `__pomp_for_enter`. A function or variable
 * `pomp_for_enter` in any other file or library of the program, which knows nothing of this header,
 * is thus not mistaken for the call. A measurement library or tool that defines a call itself
 * includes this header, which gives the definition that symbol. libpomp.so also exports each call
 * by its plain name, for callers without this header.
 */
#define POMP_SYMBOL(name) __asm__("__" #name)

/* One execution of a parallel region, or one task. */
typedef __UINT64_TYPE__ pomp_handle;

/*
 * Describes one construct, user function or user region of one translation unit. Lines count from 1
 * and refer to file_name as the user wrote it, also for text from a header or a macro. Unlike in
 * the design document the texts are const, so that C++ accepts string literals.
 *
 * A combined directive has one descriptor for each constituent that has calls of its own: `parallel
 * for` is a "parallel" and a "for" with the same lines.
 *
 * data belongs to the library: data[0] is the dense region number given at registration (from 1),
 * written once; data[1] visits (count), data[2] inclusive time in nanoseconds summed over threads,
 * data[3] the address of the region's struct pomp_counters or 0. data[1..3] are updated when a
 * thread or the program ends and are valid at the latest when the process's exit handlers have run.
 */
typedef struct ompregdescr {
	const char *name;     /* construct as in "for", or "region" for user regions */
	const char *sub_name; /* name of the critical, function or user region; else "" */
	int num_sections;     /* only for "sections": how many; else 0 */
	const char *file_name;
	int begin_line1, begin_lineN; /* first and last line of the opening directive */
	int end_line1, end_lineN;     /* first and last line of the construct's end */
	pomp_word data[4];
	struct ompregdescr *next;
} OMPRegDescr;

/*
 * The metrics of a region (POMP_METRICS): what was counted from enter to leave, summed over
 * threads. It stays at this address until the process ends.
 */
struct pomp_counters {
	pomp_word count;
	const char *const *name; /* name[count] */
#if defined __cplusplus || __STDC_VERSION__ < 199901L
	pomp_word value[1]; /* value[count] */
#else
	pomp_word value[]; /* value[count] */
#endif
};

/*
 * Registration. A translation unit chains its descriptors through next (the last one is NULL). It
 * calls pomp_register_regions() from a constructor and pomp_unregister_regions() from a destructor.
 * The library then keeps the results, and the memory may be unmapped (dlclose). Both functions take
 * the first descriptor.
 */
void pomp_register_regions(OMPRegDescr *first) POMP_SYMBOL(pomp_register_regions);
void pomp_unregister_regions(OMPRegDescr *first) POMP_SYMBOL(pomp_unregister_regions);

/*
 * The same as pomp_register_regions(), with the folder in which the compiler ran. File names that
 * are not absolute are relative to it; the trace then contains absolute names.
 */
void pomp_register_regions_in(OMPRegDescr *first, const char *folder)
    POMP_SYMBOL(pomp_register_regions_in);

/*
 * Used at file scope, with a semicolon: registers the descriptors from `first` on when the object
 * is loaded, and unregisters them when it is unloaded.
 */
#define POMP_REGISTER(first)                                                                       \
	__attribute__((__constructor__)) static void pomp_register_##first(void)                   \
	{                                                                                          \
		pomp_register_regions(&first);                                                     \
	}                                                                                          \
	__attribute__((__destructor__)) static void pomp_unregister_##first(void)                  \
	{                                                                                          \
		pomp_unregister_regions(&first);                                                   \
	}                                                                                          \
	struct ompregdescr

/*
 * Used at file scope, with a semicolon: refers to a routine of the OpenMP runtime that is only
 * called through our counterpart. Without this reference the linker could leave out a runtime that
 * nothing else needs.
 */
#define POMP_REFER(routine)                                                                        \
	extern void pomp_refers_to_##routine(void) __asm__(#routine);                              \
	__attribute__((__constructor__)) static void pomp_refer_to_##routine(void)                 \
	{                                                                                          \
		__asm__ volatile("" : : "r"(pomp_refers_to_##routine));                            \
	}                                                                                          \
	struct ompregdescr

/* Process life. Instrumentation needs none of these; they are for `#pragma pomp inst ...`. */
/* Starts the library if it is not running yet. */
void pomp_init(void) POMP_SYMBOL(pomp_init);
/* Computes, reports and writes the results now; nothing after this is measured. */
void pomp_finalize(void) POMP_SYMBOL(pomp_finalize);
/* Stops and resumes measuring on the calling thread; pairs nest. */
void pomp_off(void) POMP_SYMBOL(pomp_off);
void pomp_on(void) POMP_SYMBOL(pomp_on);
/*
 * Writes the latest events of all threads (POMP_TRACE_RING) into a folder, which is made, for
 * `ompreport recover`; NULL: the next one in pomp-traces-PID. Returns 0, or an errno value: ENOTSUP
 * if none are kept. The caller waits for the files; no other thread does.
 */
int pomp_trace_ring(const char *folder) POMP_SYMBOL(pomp_trace_ring);
/*
 * Changes a setting while the program runs, as `ompinst control` does. Several stand on lines of
 * their own, and are done together or not at all:
 *
 *   sampling=100  samples in a second of a thread's processor time, from 1/500 of the number at the
 *                 start up to it; or sampling=off
 *   filter=FILE   leaves out the regions that this file names; or filter=off
 *   metrics=off   does not read the counters of POMP_METRICS any more; or metrics=on
 *
 * Returns 0, or an errno value: EINVAL for a text that is none of these, or no plain file, ERANGE
 * for a number out of range, ENOTSUP if nothing is measured or the start has made it impossible,
 * EFBIG for a file of more than 1 MB, or why it cannot be opened. It may be called by any thread,
 * but not in a signal handler. Threads take it over at their next sample or event; in regions that
 * are open nothing changes, except that metrics are not read.
 */
int pomp_control(const char *value) POMP_SYMBOL(pomp_control);

/*
 * OpenMP constructs. The text from here to "end of the list" is made from shared/constructs.h; the
 * test `constructs pomp.h` checks it, and rewrites it with UPDATE_GOLDEN=1.
 *
 * fork returns a handle of this execution of the parallel region, which the team's threads pass to
 * begin; it stays valid until join. 0 is no handle: the thread then forms a team of its own.
 *
 * create_begin returns the task's number (unique in the process, never 0). The task's body receives
 * the number as a firstprivate and passes it to begin and end; the creator passes it to create_end.
 *
 * An implicit barrier reports through pomp_barrier_enter/exit with its construct's descriptor, an
 * explicit one with a descriptor named "barrier".
 *
 * A construct that is measured "from outside" is measured only by the thread that encounters it.
 * Whatever runs inside it, on a device or in other threads, reports nothing; waiting for that is
 * part of the time. The descriptor's name identifies the construct ("target", "target data", ...).
 * A combined directive has the name of its first construct ("target" for `target teams
 * distribute`).
 */

/* parallel: from fork to join; on each thread of the team, the block and the barrier at its end */
pomp_handle pomp_parallel_fork(OMPRegDescr *region) POMP_SYMBOL(pomp_parallel_fork);
void pomp_parallel_begin(OMPRegDescr *region, pomp_handle fork) POMP_SYMBOL(pomp_parallel_begin);
void pomp_parallel_end(OMPRegDescr *region) POMP_SYMBOL(pomp_parallel_end);
void pomp_parallel_join(OMPRegDescr *region, pomp_handle fork) POMP_SYMBOL(pomp_parallel_join);
/* for: a thread's iterations, and the barrier after them */
void pomp_for_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_for_enter);
void pomp_for_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_for_exit);
/* sections: a thread's sections, and the barrier after them */
void pomp_sections_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_sections_enter);
void pomp_sections_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_sections_exit);
/* section: one section */
void pomp_section_begin(OMPRegDescr *region) POMP_SYMBOL(pomp_section_begin);
void pomp_section_end(OMPRegDescr *region) POMP_SYMBOL(pomp_section_end);
/* single: on one thread the block, and on all threads the barrier after it */
void pomp_single_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_single_enter);
void pomp_single_begin(OMPRegDescr *region) POMP_SYMBOL(pomp_single_begin);
void pomp_single_end(OMPRegDescr *region) POMP_SYMBOL(pomp_single_end);
void pomp_single_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_single_exit);
/* scope: the block, and the barrier after it */
void pomp_scope_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_scope_enter);
void pomp_scope_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_scope_exit);
/* master, masked: the block, on the threads that execute it */
void pomp_master_begin(OMPRegDescr *region) POMP_SYMBOL(pomp_master_begin);
void pomp_master_end(OMPRegDescr *region) POMP_SYMBOL(pomp_master_end);
/* critical: the wait to enter, and the block */
void pomp_critical_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_critical_enter);
void pomp_critical_begin(OMPRegDescr *region) POMP_SYMBOL(pomp_critical_begin);
void pomp_critical_end(OMPRegDescr *region) POMP_SYMBOL(pomp_critical_end);
void pomp_critical_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_critical_exit);
/* ordered: the wait for earlier iterations, and the block */
void pomp_ordered_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_ordered_enter);
void pomp_ordered_begin(OMPRegDescr *region) POMP_SYMBOL(pomp_ordered_begin);
void pomp_ordered_end(OMPRegDescr *region) POMP_SYMBOL(pomp_ordered_end);
void pomp_ordered_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_ordered_exit);
/* atomic: the update */
void pomp_atomic_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_atomic_enter);
void pomp_atomic_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_atomic_exit);
/* flush: the flush */
void pomp_flush_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_flush_enter);
void pomp_flush_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_flush_exit);
/* barrier: the wait for the team; an implicit barrier belongs to its construct */
void pomp_barrier_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_barrier_enter);
void pomp_barrier_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_barrier_exit);
/* task: creating it, and on the thread that executes it the block */
pomp_handle pomp_task_create_begin(OMPRegDescr *region) POMP_SYMBOL(pomp_task_create_begin);
void pomp_task_create_end(OMPRegDescr *region, pomp_handle task) POMP_SYMBOL(pomp_task_create_end);
void pomp_task_begin(OMPRegDescr *region, pomp_handle task) POMP_SYMBOL(pomp_task_begin);
void pomp_task_end(OMPRegDescr *region, pomp_handle task) POMP_SYMBOL(pomp_task_end);
/* taskloop: creating its tasks, and the wait for them */
void pomp_taskloop_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_taskloop_enter);
void pomp_taskloop_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_taskloop_exit);
/* taskwait: the wait for child tasks */
void pomp_taskwait_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_taskwait_enter);
void pomp_taskwait_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_taskwait_exit);
/* taskgroup: the block, and from its end on the wait for the group's tasks */
void pomp_taskgroup_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_taskgroup_enter);
void pomp_taskgroup_begin(OMPRegDescr *region) POMP_SYMBOL(pomp_taskgroup_begin);
void pomp_taskgroup_end(OMPRegDescr *region) POMP_SYMBOL(pomp_taskgroup_end);
void pomp_taskgroup_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_taskgroup_exit);
/* taskyield: the time until the thread goes on with its task */
void pomp_taskyield_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_taskyield_enter);
void pomp_taskyield_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_taskyield_exit);
/* loop: all of it, from outside */
void pomp_loop_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_loop_enter);
void pomp_loop_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_loop_exit);
/* distribute: all of it, from outside */
void pomp_distribute_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_distribute_enter);
void pomp_distribute_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_distribute_exit);
/* teams: all of it, from outside */
void pomp_teams_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_teams_enter);
void pomp_teams_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_teams_exit);
/* target: all of it, from the host: data, the region on the device, and the wait for it */
void pomp_target_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_target_enter);
void pomp_target_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_target_exit);
/* target data: mapping the data, the block on the host, and mapping back */
void pomp_target_data_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_target_data_enter);
void pomp_target_data_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_target_data_exit);
/* target enter data: mapping the data */
void pomp_target_enter_data_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_target_enter_data_enter);
void pomp_target_enter_data_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_target_enter_data_exit);
/* target exit data: mapping the data back */
void pomp_target_exit_data_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_target_exit_data_enter);
void pomp_target_exit_data_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_target_exit_data_exit);
/* target update: the copies */
void pomp_target_update_enter(OMPRegDescr *region) POMP_SYMBOL(pomp_target_update_enter);
void pomp_target_update_exit(OMPRegDescr *region) POMP_SYMBOL(pomp_target_update_exit);

/* end of the list */

/* User functions and user regions (`#pragma pomp inst begin(name)` .. `end(name)`). */
void pomp_begin(OMPRegDescr *region) POMP_SYMBOL(pomp_begin);
void pomp_end(OMPRegDescr *region) POMP_SYMBOL(pomp_end);

/* Ends the region that *region points to, unless that is NULL; used by the two macros below. */
void pomp_leave(OMPRegDescr **region) POMP_SYMBOL(pomp_leave);

/* Declares a variable that ends its region, if it has one by then, however its block is left. */
#define POMP_GUARD(variable)                                                                       \
	OMPRegDescr *variable __attribute__((__cleanup__(pomp_leave), __unused__)) = 0

/* The first declaration in a function that is measured from here to its end. */
#define POMP_FUNCTION(region)                                                                      \
	OMPRegDescr *pomp_in_##region __attribute__((__cleanup__(pomp_leave), __unused__)) =       \
	    (pomp_begin(&region), &region)

/*
 * Parameters: a value that the trace shows at the call, in the region that is open there (an
 * iteration, for instance, or a case). The strings are copied; each new name, and each new string
 * value, takes memory once. Parameters are not part of the profile.
 */
void pomp_parameter_int64(const char *name, __INT64_TYPE__ value) POMP_SYMBOL(pomp_parameter_int64);
void pomp_parameter_uint64(const char *name, __UINT64_TYPE__ value)
    POMP_SYMBOL(pomp_parameter_uint64);
void pomp_parameter_string(const char *name, const char *value) POMP_SYMBOL(pomp_parameter_string);

/*
 * Loops whose schedule may be changed when the program starts (POMP_LOOP_SCHEDULES): written with
 * schedule(runtime), between these two calls on each thread. kind and chunk are the schedule that
 * the loop otherwise has: 1 static, 2 dynamic, 3 guided; chunk 0: none. They act also when
 * measurement is off.
 */
pomp_handle pomp_schedule_set(OMPRegDescr *region, int /* kind */, int /* chunk */)
    POMP_SYMBOL(pomp_schedule_set);
void pomp_schedule_reset(pomp_handle value) POMP_SYMBOL(pomp_schedule_reset);

/*
 * The number in a clause of a task or taskloop, which may be changed when the program
 * starts (POMP_TASK_GRAINS). It acts also when measurement is off.
 */
pomp_handle pomp_task_grain(OMPRegDescr *region, pomp_handle value) POMP_SYMBOL(pomp_task_grain);

/*
 * Lock routines: each replaces the omp_ function of the same name (OpenMP 5.2, 18.9), which it
 * calls and times. The instrumenter declares them with the original's type; here they take void *,
 * so this header does not need omp.h.
 */
void pomp_init_lock(void *lock) POMP_SYMBOL(pomp_init_lock);
void pomp_init_lock_with_hint(void *lock, __UINTPTR_TYPE__ hint)
    POMP_SYMBOL(pomp_init_lock_with_hint);
void pomp_destroy_lock(void *lock) POMP_SYMBOL(pomp_destroy_lock);
void pomp_set_lock(void *lock) POMP_SYMBOL(pomp_set_lock);
void pomp_unset_lock(void *lock) POMP_SYMBOL(pomp_unset_lock);
int pomp_test_lock(void *lock) POMP_SYMBOL(pomp_test_lock);
void pomp_init_nest_lock(void *lock) POMP_SYMBOL(pomp_init_nest_lock);
void pomp_init_nest_lock_with_hint(void *lock, __UINTPTR_TYPE__ hint)
    POMP_SYMBOL(pomp_init_nest_lock_with_hint);
void pomp_destroy_nest_lock(void *lock) POMP_SYMBOL(pomp_destroy_nest_lock);
void pomp_set_nest_lock(void *lock) POMP_SYMBOL(pomp_set_nest_lock);
void pomp_unset_nest_lock(void *lock) POMP_SYMBOL(pomp_unset_nest_lock);
int pomp_test_nest_lock(void *lock) POMP_SYMBOL(pomp_test_nest_lock);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
