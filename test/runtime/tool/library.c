/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tools for start.py, one library for each ANSWER: 0: ompt_start_tool() returns NULL; 1: the
 * initializer returns 0; 2: the tool is used; 3: it has no initializer. NAME says which it is. What
 * happens is printed on stdout, with the process's number as "(same)" or "(other)" than that of the
 * start.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "omp-tools.h"

static int first_process;

static void say(const char *what)
{
	char line[200];
	int length = snprintf(line, sizeof(line), "%s: %s%s\n", NAME, what,
	    getpid() == first_process ? "" : " (other)");

	if (write(STDOUT_FILENO, line, (size_t)length) < 0)
		_exit(3);
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
    unsigned requested, int flags, const void *codeptr)
{
	(void)task, (void)frame, (void)parallel, (void)requested, (void)flags, (void)codeptr;
	say("region");
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device, (void)data;
	say("initialize");
	set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
	return ANSWER == 2;
}

static void finalize(ompt_data_t *data)
{
	(void)data;
	say("finalize");
}

__attribute__((destructor)) static void destroy(void)
{
	if (first_process != 0 && ANSWER == 2)
		say("destructor");
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = {ANSWER == 3 ? NULL : initialize, finalize, {0}};

	(void)version, (void)runtime;
	first_process = getpid();
	say("start");
	return ANSWER == 0 ? NULL : &result;
}
