/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checking tool: any OpenMP runtime can load it. It checks the order, the pairing and the
 * arguments of the runtime's callbacks against OpenMP 5.2, chapter 19, and prints one line per
 * violation. It was written from the specification's text, for no particular runtime.
 *
 * Environment variables:
 *   OMPT_CHECK: words
 *     fatal: a process with violations ends with status 86
 *     counts: prints at the end how often each callback came
 *   OMPT_CHECK_LOG: a file to which lines are appended; default: standard error
 *   OMPT_CHECK_ALLOW: names of rules that may be broken, separated by commas
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATUS 86

struct lookups runtime;
unsigned long event_counts[EVENTS];
ompt_set_result_t set_results[EVENTS];
bool forked;

void set_all_callbacks(void)
{
#define SET(name, type)                                                                            \
	set_results[EVENT_##name] =                                                                \
	    runtime.set_callback(ompt_callback_##name, (ompt_callback_t)on_##name);
	CHECK_EVENTS(SET)
#undef SET
}

static void in_child(void)
{
	forked = true;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool_data)
{
	const char *options = getenv("OMPT_CHECK");

	(void)device;
	(void)tool_data;
	report_open();
	questions_open(lookup);
	if (!runtime.set_callback)
		return 0;
	set_all_callbacks();
	pthread_atfork(NULL, NULL, in_child);
	if (options && strstr(options, "sample"))
		samples_begin();
	return 1;
}

/* A process that ends inside regions, or a child of fork(), leaves tasks behind. */
static void check_left(void)
{
	struct thread *me = thread_now();
	bool inside =
	    forked || (me && me->current &&
			  (me->current->below || !(me->current->flags & ompt_task_initial) ||
			      me->current->regions));

	if (!inside && tasks_unfinished())
		violation(RULE_task_left, "%lu tasks have not finished", tasks_unfinished());
}

static void finalize(ompt_data_t *tool_data)
{
	const char *options = getenv("OMPT_CHECK");

	(void)tool_data;
	if (options && strstr(options, "sample"))
		samples_end();
	check_left();
	threads_close();
	if (report_close() && options && strstr(options, "fatal")) {
		fflush(NULL);
		_exit(STATUS);
	}
}

__attribute__((visibility("default"))) ompt_start_tool_result_t *ompt_start_tool(
    unsigned omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};

	(void)omp_version;
	(void)runtime_version;
	return &result;
}
