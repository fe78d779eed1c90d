/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs whose threads all say what OpenMP says of their place, one line each, and then
 * stay there. A debugger has to show the same: see facts.py.
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "scenes.h"

static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;
static int value;

static const char *truth(int condition)
{
	return condition ? "true" : "false";
}

static const char *schedule(omp_sched_t kind)
{
	static const char *const names[] = {"?", "static", "dynamic", "guided", "auto"};

	return names[(unsigned)kind & 7];
}

/* `is_explicit` and `state`, as the debugger calls it, are what the program's text says. */
static void report_and_stay(int is_explicit, const char *state)
{
	omp_sched_t kind;
	int chunk;

	omp_get_schedule(&kind, &chunk);
	pthread_mutex_lock(&printing);
	printf("lwp=%ld state=%s levels-var=%d active-levels-var=%d team-size-var=%d "
	       "thread-num-var=%d "
	       "team-num-var=%d league-size-var=%d max-active-levels-var=%d thread-limit-var=%d "
	       "dyn-var=%s final-task-var=%s implicit-task-var=%s explicit-task-var=%s "
	       "cancel-var=%s num-procs-var=%d run-sched-var=%s,%d default-device-var=%d "
	       "max-task-priority-var=%d\n",
	    syscall(SYS_gettid), state, omp_get_level(), omp_get_active_level(),
	    omp_get_num_threads(), omp_get_thread_num(), omp_get_team_num(), omp_get_num_teams(),
	    omp_get_max_active_levels(), omp_get_thread_limit(), truth(omp_get_dynamic()),
	    truth(omp_in_final()), truth(!is_explicit), truth(is_explicit),
	    truth(omp_get_cancellation()), omp_get_num_procs(), schedule(kind), chunk,
	    omp_get_default_device(), omp_get_max_task_priority());
	fflush(stdout);
	pthread_mutex_unlock(&printing);
	stay();
}

static void serial(void)
{
	report_and_stay(0, "work_serial");
}

static void nested(void)
{
	omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
	{
		omp_set_schedule(omp_sched_guided, 3 + omp_get_thread_num());
#pragma omp parallel num_threads(2 + omp_get_thread_num())
		{
			omp_set_dynamic(omp_get_thread_num() == 1);
			report_and_stay(0, "work_parallel");
		}
	}
}

/* Of one thread: not active. */
static void inactive(void)
{
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(2)
	{
		omp_set_schedule(omp_sched_dynamic, 7);
		report_and_stay(0, "work_parallel");
	}
}

static void tasks(void)
{
#pragma omp parallel num_threads(3)
#pragma omp single
	{
#pragma omp task
		report_and_stay(1, "work_parallel");
#pragma omp task final(1)
		report_and_stay(1, "work_parallel");
		let_others();
#pragma omp task if (0)
		report_and_stay(1, "work_parallel");
	}
}

static void taskloop(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop grainsize(1)
	for (int i = 0; i < 8; i++)
		report_and_stay(1, "work_parallel");
}

static void dependent(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(out : value)
		value++;
#pragma omp task depend(inout : value)
		report_and_stay(1, "work_parallel");
#pragma omp task depend(in : value)
		value++;
#pragma omp task
		report_and_stay(1, "work_parallel");
	}
}

static void teams(void)
{
#pragma omp teams num_teams(2) thread_limit(2)
	{
		if (omp_get_team_num() == 0) {
#pragma omp parallel num_threads(2)
			report_and_stay(0, "work_parallel");
		}
	}
}

/* The threads that the cancelled region had are in the next one. */
static void cancelled(void)
{
#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() == 1) {
#pragma omp cancel parallel
		}
		for (;;) {
			usleep(1000);
#pragma omp cancellation point parallel
		}
	}
#pragma omp parallel num_threads(2)
	report_and_stay(0, "work_parallel");
}

/* One thread has cancelled the region and left it, the other has not noticed yet. */
static void cancelling(void)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1) {
			let_others();
#pragma omp cancel parallel
		}
		report_and_stay(0, "work_parallel");
	}
}

const struct scene scenes[] = {{"serial", serial}, {"nested", nested}, {"inactive", inactive},
    {"tasks", tasks}, {"taskloop", taskloop}, {"dependent", dependent}, {"teams", teams},
    {"cancelled", cancelled}, {"cancelling", cancelling}, {NULL, NULL}};
