/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * omp_control_tool() (OpenMP 5.2, 18.14), by its three names, and the end of a tool that ends
 * itself by ompt_finalize_tool(): its finalizer is called once and at once, and no callback
 * afterwards.
 */
#include <dlfcn.h>
#include <omp.h>

#include "check.h"
#include "omp-tools.h"

typedef int control_fn(int command, int modifier, void *argument);
typedef int fortran_control_fn(const int *command, const int *modifier);
typedef int fortran_control_8_fn(const int *command, const int64_t *modifier);

enum { END = 4, OWN = 64 };

static ompt_set_callback_t set_callback;
static ompt_finalize_tool_t finalize_tool;
static ompt_get_task_info_t get_task_info;
static int commands, last_command, last_modifier, finalized, regions;
static void *last_argument;
static const void *last_codeptr;

static int on_control(uint64_t command, uint64_t modifier, void *argument, const void *codeptr)
{
	ompt_frame_t *frame = NULL;

	CHECK_EQUAL(get_task_info(0, NULL, NULL, &frame, NULL, NULL), 2);
	CHECK(frame != NULL && frame->enter_frame.ptr != NULL);
	commands++;
	last_command = (int)command;
	last_modifier = (int)modifier;
	last_argument = argument;
	last_codeptr = codeptr;
	if (command == END)
		finalize_tool();
	return command == OWN ? 77 : 0;
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
    unsigned requested, int flags, const void *codeptr)
{
	(void)task, (void)frame, (void)parallel, (void)requested, (void)flags, (void)codeptr;
	regions++;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	(void)device, (void)data;
	set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
	finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
	get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
	set_callback(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
	return 1;
}

static void finalize(ompt_data_t *data)
{
	CHECK_EQUAL(data->value, 42);
	finalized++;
	CHECK_EQUAL(finalized, 1);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {42}};

	(void)version, (void)runtime;
	return &result;
}

static void region(void)
{
#pragma omp parallel num_threads(2)
	count(&(int){0});
}

/* In the callback of a region that other members are in. */
static void end_inside(control_fn *control)
{
#pragma omp parallel
	{
#pragma omp barrier
		if (omp_get_thread_num() == 0)
			CHECK_EQUAL(control(END, 0, NULL), 0);
#pragma omp barrier
#pragma omp parallel num_threads(2)
		count(&(int){0});
	}
}

int main(void)
{
	control_fn *control = (control_fn *)dlsym(RTLD_DEFAULT, "omp_control_tool");
	fortran_control_fn *fortran =
	    (fortran_control_fn *)dlsym(RTLD_DEFAULT, "omp_control_tool_");
	fortran_control_8_fn *fortran_8 =
	    (fortran_control_8_fn *)dlsym(RTLD_DEFAULT, "omp_control_tool_8_");
	int before;

	if (!CHECK(control != NULL && fortran != NULL && fortran_8 != NULL))
		return check_result();
	CHECK_EQUAL(control(1, 0, NULL), -1); /* no callback */
	set_callback(ompt_callback_control_tool, (ompt_callback_t)on_control);
	CHECK_EQUAL(control(OWN, 5, &before), 77);
	CHECK_EQUAL(last_command, OWN);
	CHECK_EQUAL(last_modifier, 5);
	CHECK(last_argument == &before);
	CHECK((char *)last_codeptr > (char *)main && (char *)last_codeptr < (char *)main + 4096);
	CHECK_EQUAL(fortran(&(int){2}, &(int){3}), 0);
	CHECK_EQUAL(last_command, 2);
	CHECK_EQUAL(last_modifier, 3);
	CHECK(last_argument == NULL);
	CHECK_EQUAL(fortran_8((int[]){OWN, -1}, &(int64_t){9}), 77);
	CHECK_EQUAL(last_command, OWN);
	CHECK_EQUAL(last_modifier, 9);
	CHECK_EQUAL(commands, 3);
	region();
	CHECK_EQUAL(regions, 1);
	end_inside(control);
	CHECK_EQUAL(finalized, 1);
	CHECK_EQUAL(commands, 4);
	before = regions;
	region();
	CHECK_EQUAL(regions, before);
	CHECK_EQUAL(control(1, 0, NULL), -2); /* no tool */
	CHECK_EQUAL(set_callback(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin),
	    ompt_set_error);
	finalize_tool();
	CHECK_EQUAL(commands, 4);
	return check_result();
}
