/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tool that finalizes itself by ompt_finalize_tool() (OpenMP 5.2, 19.6.20), each time in a
 * process of its own: in the callback of each kind of event that comes outside of regions, as
 * called by the program, and within a region. What has begun ends before the finalizer where the
 * thread is outside of all constructs; the finalizer comes once, no event comes after it, and the
 * program continues.
 */
#include <dlfcn.h>
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "omp-tools.h"

enum moment {
	BY_PROGRAM,
	THREAD_BEGIN,
	INITIAL_TASK_BEGIN,
	PARALLEL_BEGIN,
	PARALLEL_END,
	LEAGUE_BEGIN,
	LEAGUE_END,
	CONTROL,
	CONTROL_IN_REGION,
	CONTROL_IN_TASK,
	INITIAL_TASK_END,
	THREAD_END,
	MOMENTS
};

static const char *const names[MOMENTS] = {"by the program", "thread_begin", "initial task begin",
    "parallel_begin", "parallel_end", "parallel_begin of teams", "parallel_end of teams",
    "control_tool", "control_tool in a region", "control_tool in a task", "initial task end",
    "thread_end"};

static enum moment moment;
static ompt_finalize_tool_t finalize_tool;
/*
 * Of all threads, atomic: several workers may end at once, and each of them asks for the end of the
 * tool. The rest is written by the main thread alone, or by the one that finalizes.
 */
static int events, threads, threads_ended, finalized;
static int initial_tasks, initial_tasks_ended, events_before;

static int times_finalized(void)
{
	return __atomic_load_n(&finalized, __ATOMIC_RELAXED);
}

static void at(enum moment now)
{
	__atomic_add_fetch(&events, 1, __ATOMIC_RELAXED);
	if (now == moment && times_finalized() == 0)
		finalize_tool();
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *thread)
{
	(void)thread;
	__atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
	at(type == ompt_thread_initial ? THREAD_BEGIN : MOMENTS);
}

static void on_thread_end(ompt_data_t *thread)
{
	(void)thread;
	__atomic_add_fetch(&threads_ended, 1, __ATOMIC_RELAXED);
	at(THREAD_END);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
    ompt_data_t *task, unsigned parallelism, unsigned index, int flags)
{
	bool begins = endpoint == ompt_scope_begin;

	(void)parallel, (void)task, (void)parallelism, (void)index;
	if (!(flags & ompt_task_initial)) {
		at(MOMENTS);
		return;
	}
	*(begins ? &initial_tasks : &initial_tasks_ended) += 1;
	at(begins ? INITIAL_TASK_BEGIN : INITIAL_TASK_END);
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
    unsigned requested, int flags, const void *codeptr)
{
	(void)task, (void)frame, (void)parallel, (void)requested, (void)codeptr;
	at(flags & ompt_parallel_league ? LEAGUE_BEGIN : PARALLEL_BEGIN);
}

static void on_parallel_end(
    ompt_data_t *parallel, ompt_data_t *task, int flags, const void *codeptr)
{
	(void)parallel, (void)task, (void)codeptr;
	at(flags & ompt_parallel_league ? LEAGUE_END : PARALLEL_END);
}

static int on_control(uint64_t command, uint64_t modifier, void *argument, const void *codeptr)
{
	(void)modifier, (void)argument, (void)codeptr;
	at((enum moment)command);
	return 0;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device, (void)data;
	finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
	set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
	set(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
	set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
	set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
	set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
	set(ompt_callback_control_tool, (ompt_callback_t)on_control);
	return 1;
}

/* The initial task that ends first is one of the league; a thread that ends first is a worker. */
static bool ends_all(void)
{
	switch (moment) {
	case INITIAL_TASK_END:
	case THREAD_END:
	case PARALLEL_BEGIN:
	case LEAGUE_BEGIN:
	case CONTROL_IN_REGION:
	case CONTROL_IN_TASK:
	case THREAD_BEGIN: /* the initial task has not begun */
		return false;
	default:
		return true;
	}
}

static void finalize(ompt_data_t *data)
{
	(void)data;
	__atomic_add_fetch(&finalized, 1, __ATOMIC_RELAXED);
	events_before = __atomic_load_n(&events, __ATOMIC_RELAXED);
	if (ends_all()) {
		CHECK_EQUAL(threads_ended, threads);
		CHECK_EQUAL(initial_tasks_ended, initial_tasks);
	} else if (moment != THREAD_END) {
		CHECK_EQUAL(threads_ended, 0);
	}
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};

	(void)version, (void)runtime;
	return &result;
}

static void constructs(void)
{
	int (*control)(int, int, void *) =
	    (int (*)(int, int, void *))dlsym(RTLD_DEFAULT, "omp_control_tool");
	int members = 0, teams = 0;

#pragma omp parallel reduction(+ : members)
	{
		members++;
#pragma omp barrier
#pragma omp masked
		control(CONTROL_IN_REGION, 0, NULL);
#pragma omp barrier
	}
	CHECK(members >= 1);
#pragma omp teams reduction(+ : teams) num_teams(2)
	teams++;
	CHECK_EQUAL(teams, 2);
#pragma omp task
	control(CONTROL_IN_TASK, 0, NULL);
	control(CONTROL, 0, NULL);
	if (moment == BY_PROGRAM && times_finalized() == 0)
		finalize_tool();
}

static void check_at_exit(void)
{
	CHECK_EQUAL(times_finalized(), 1);
	if (moment != THREAD_END) /* other threads may be in theirs */
		CHECK_EQUAL(__atomic_load_n(&events, __ATOMIC_RELAXED), events_before);
	if (check_failures != 0)
		_exit(1);
}

static void run_child(void)
{
	atexit(check_at_exit);
	constructs();
	CHECK_EQUAL(times_finalized(), moment != THREAD_END);
	if (times_finalized())
		finalize_tool();
	constructs();
	exit(check_result());
}

/* It uses no OpenMP itself: a process that has threads is not to be forked. */
int main(void)
{
	for (moment = 0; moment < MOMENTS; moment++) {
		int status = -1;
		pid_t child = fork();
		if (child == 0)
			run_child();
		CHECK_EQUAL(waitpid(child, &status, 0), child);
		if (!CHECK_EQUAL(status, 0))
			fprintf(stderr, "ompt_finalize_tool(): %s\n", names[moment]);
	}
	return check_result();
}
