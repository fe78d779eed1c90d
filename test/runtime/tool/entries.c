/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a tool can ask (OpenMP 5.2, 19.6): every entry point is found by its name and answers as
 * specified; names of devices' entry points and of none are not found; numbers are unique; what
 * ompt_set_callback() answers is what the runtime can keep.
 */
#include <omp.h>
#include <pthread.h>
#include <sched.h>

#include "check.h"
#include "omp-tools.h"

static ompt_function_lookup_t lookup;
static int initialized, unexpected;

#define FIND(name)              name##_t name = (name##_t)lookup(#name)
#define COUNT(array)            ((int)(sizeof(array) / sizeof((array)[0])))
#define CHECK_SET(callback, is) CHECK_EQUAL(ompt_set_callback(callback, never), is)

static void never(void)
{
	unexpected++;
}

static int initialize(ompt_function_lookup_t function, int device, ompt_data_t *data)
{
	lookup = function;
	initialized++;
	CHECK_EQUAL(device, omp_get_initial_device());
	CHECK_EQUAL(data->value, 4711);
	/* Using OpenMP here is not allowed, but must do no harm. */
	CHECK(omp_get_max_threads() > 0);
	return 1;
}

static void finalize(ompt_data_t *data)
{
	(void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {4711}};

	CHECK_EQUAL(version, 202011);
	CHECK(runtime != NULL && *runtime != '\0');
	return &result;
}

static void names(void)
{
	static const char *const known[] = {"ompt_enumerate_states", "ompt_enumerate_mutex_impls",
	    "ompt_set_callback", "ompt_get_callback", "ompt_get_thread_data", "ompt_get_num_procs",
	    "ompt_get_num_places", "ompt_get_place_proc_ids", "ompt_get_place_num",
	    "ompt_get_partition_place_nums", "ompt_get_proc_id", "ompt_get_state",
	    "ompt_get_parallel_info", "ompt_get_task_info", "ompt_get_task_memory",
	    "ompt_get_target_info", "ompt_get_num_devices", "ompt_get_unique_id",
	    "ompt_finalize_tool"};
	static const char *const unknown[] = {"", "ompt_", "ompt_get_device_num_procs",
	    "ompt_get_device_time", "ompt_translate_time", "ompt_set_trace_ompt",
	    "ompt_start_trace", "ompt_stop_trace", "ompt_get_record_type", "omp_get_num_threads"};

	for (int i = 0; i < COUNT(known); i++)
		if (!CHECK(lookup(known[i]) != NULL))
			fprintf(stderr, "  of '%s'\n", known[i]);
	for (int i = 0; i < COUNT(unknown); i++)
		if (!CHECK(lookup(unknown[i]) == NULL))
			fprintf(stderr, "  of '%s'\n", unknown[i]);
	CHECK(lookup(NULL) == NULL);
}

static void enumerations(void)
{
	FIND(ompt_enumerate_states);
	FIND(ompt_enumerate_mutex_impls);
	int value = ompt_state_undefined, states = 0, impls = 0, last = -1;
	const char *name = NULL;

	while (ompt_enumerate_states(value, &value, &name) != 0 && states < 100) {
		states++;
		CHECK(strncmp(name, "ompt_state_", 11) == 0);
		CHECK(value > last); /* else it would not end */
		last = value;
	}
	CHECK(states >= 10 && states < 100);
	CHECK_EQUAL(ompt_enumerate_states(0x7777, &value, &name), 0);
	value = ompt_mutex_impl_none;
	while (ompt_enumerate_mutex_impls(value, &value, &name) != 0 && impls < 100) {
		impls++;
		CHECK(value != ompt_mutex_impl_none && *name != '\0');
	}
	CHECK(impls >= 1 && impls < 100);
}

static void callbacks(void)
{
	static const ompt_callbacks_t always[] = {ompt_callback_thread_begin,
	    ompt_callback_thread_end, ompt_callback_parallel_begin, ompt_callback_parallel_end,
	    ompt_callback_implicit_task, ompt_callback_task_create, ompt_callback_task_schedule,
	    ompt_callback_control_tool, ompt_callback_sync_region, ompt_callback_sync_region_wait};
	static const ompt_callbacks_t nothing[] = {ompt_callback_device_initialize,
	    ompt_callback_device_finalize, ompt_callback_device_load, ompt_callback_device_unload};
	FIND(ompt_set_callback);
	FIND(ompt_get_callback);
	ompt_callback_t found = never;

	CHECK_EQUAL(ompt_get_callback(ompt_callback_parallel_begin, &found), 0);
	CHECK(found == NULL);
	for (int i = 0; i < COUNT(always); i++) {
		CHECK_SET(always[i], ompt_set_always);
		CHECK_EQUAL(ompt_get_callback(always[i], &found), 1);
		CHECK(found == never);
		CHECK_EQUAL(ompt_set_callback(always[i], NULL), ompt_set_always);
		CHECK_EQUAL(ompt_get_callback(always[i], &found), 0);
	}
	for (int i = 0; i < COUNT(nothing); i++)
		CHECK_SET(nothing[i], ompt_set_never);
	CHECK_SET(0, ompt_set_error);
	CHECK_SET(38, ompt_set_error);
	CHECK_SET(-1, ompt_set_error);
	CHECK_SET(1000000, ompt_set_error);
}

/* Bound to places or not, as the environment has it. */
static void places(void)
{
	FIND(ompt_get_num_procs);
	FIND(ompt_get_num_places);
	FIND(ompt_get_place_proc_ids);
	FIND(ompt_get_place_num);
	FIND(ompt_get_partition_place_nums);
	FIND(ompt_get_proc_id);
	int count = ompt_get_num_places(), ids[4096] = {0}, other[4096] = {0};

	CHECK_EQUAL(ompt_get_num_procs(), omp_get_num_procs());
	CHECK_EQUAL(count, omp_get_num_places());
	CHECK(ompt_get_proc_id() >= 0);
	CHECK_EQUAL(ompt_get_place_num(), omp_get_place_num());
	CHECK_EQUAL(ompt_get_place_proc_ids(-1, 10, ids), 0);
	CHECK_EQUAL(ompt_get_place_proc_ids(count, 10, ids), 0);
	for (int place = 0; place < count; place++) {
		int members = omp_get_place_num_procs(place);

		CHECK_EQUAL(ompt_get_place_proc_ids(place, 0, NULL), members);
		CHECK_EQUAL(ompt_get_place_proc_ids(place, COUNT(ids), ids), members);
		omp_get_place_proc_ids(place, other);
		for (int i = 0; i < members; i++)
			CHECK_EQUAL(ids[i], other[i]);
	}
	CHECK_EQUAL(ompt_get_partition_place_nums(0, NULL), omp_get_partition_num_places());
	CHECK_EQUAL(ompt_get_partition_place_nums(COUNT(ids), ids), omp_get_partition_num_places());
	omp_get_partition_place_nums(other);
	for (int i = 0; i < omp_get_partition_num_places(); i++)
		CHECK_EQUAL(ids[i], other[i]);
}

enum { THREADS = 8, NUMBERS = 500 };

static int compare(const void *first, const void *second)
{
	uint64_t a = *(const uint64_t *)first, b = *(const uint64_t *)second;
	return a < b ? -1 : a > b;
}

static void unique_numbers(void)
{
	static uint64_t all[THREADS * NUMBERS];
	FIND(ompt_get_unique_id);

#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < NUMBERS; i++)
		all[omp_get_thread_num() * NUMBERS + i] = ompt_get_unique_id();
	qsort(all, THREADS * NUMBERS, sizeof(uint64_t), compare);
	for (int i = 1; i < THREADS * NUMBERS; i++)
		CHECK(all[i] == 0 || all[i] != all[i - 1]);
}

static void *ask_elsewhere(void *unused)
{
	FIND(ompt_get_state);
	FIND(ompt_get_thread_data);
	FIND(ompt_get_parallel_info);
	FIND(ompt_get_task_info);
	FIND(ompt_get_place_num);
	ompt_wait_id_t id = 1;

	CHECK_EQUAL(ompt_get_state(&id), ompt_state_undefined);
	CHECK(ompt_get_thread_data() == NULL);
	CHECK_EQUAL(ompt_get_parallel_info(0, NULL, NULL), 0);
	CHECK_EQUAL(ompt_get_task_info(0, NULL, NULL, NULL, NULL, NULL), 0);
	CHECK_EQUAL(ompt_get_place_num(), -1);
	return unused;
}

/* Of regions around the asking thread. */
static void regions(void)
{
	FIND(ompt_get_state);
	FIND(ompt_get_parallel_info);
	FIND(ompt_get_thread_data);
	ompt_data_t *outer, *inner, *data = NULL;
	int size = 0;

	CHECK_EQUAL(ompt_get_state(NULL), ompt_state_work_serial);
	CHECK_EQUAL(ompt_get_parallel_info(0, &outer, &size), 2);
	CHECK_EQUAL(size, 1);
	CHECK_EQUAL(ompt_get_parallel_info(1, &data, &size), 0);
	CHECK_EQUAL(ompt_get_parallel_info(-1, &data, &size), 0);
	CHECK(data == NULL);
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) private(size, data, inner)
	{
		int members = omp_get_num_threads();

		CHECK_EQUAL(ompt_get_state(NULL), ompt_state_work_parallel);
		CHECK(ompt_get_thread_data() != NULL);
		CHECK_EQUAL(ompt_get_parallel_info(0, &inner, &size), 2);
		CHECK_EQUAL(size, members);
		CHECK_EQUAL(ompt_get_parallel_info(1, &data, &size), 2);
		CHECK(data == outer);
		CHECK_EQUAL(ompt_get_parallel_info(2, NULL, NULL), 0);
#pragma omp parallel num_threads(3)
		{
			ompt_data_t *above;
			int count;

			CHECK_EQUAL(ompt_get_parallel_info(1, &above, &count), 2);
			CHECK(above == inner);
			CHECK_EQUAL(count, members);
			CHECK_EQUAL(ompt_get_parallel_info(2, &above, NULL), 2);
			CHECK(above == outer);
			CHECK_EQUAL(ompt_get_parallel_info(3, NULL, NULL), 0);
		}
	}
#pragma omp parallel if (0)
	CHECK_EQUAL(ompt_get_state(NULL), ompt_state_work_parallel);
}

static void devices(void)
{
	FIND(ompt_get_num_devices);
	FIND(ompt_get_target_info);

	CHECK_EQUAL(ompt_get_num_devices(), omp_get_num_devices());
	CHECK_EQUAL(ompt_get_target_info(NULL, NULL, NULL), 0);
}

int main(void)
{
	pthread_t thread;

	CHECK_EQUAL(initialized, 0); /* nothing has used the runtime so far */
	CHECK_EQUAL(omp_get_level(), 0);
	if (!CHECK_EQUAL(initialized, 1))
		return check_result();
	names();
	enumerations();
	callbacks();
	places();
	unique_numbers();
	regions();
	devices();
	if (pthread_create(&thread, NULL, ask_elsewhere, NULL) == 0)
		pthread_join(thread, NULL);
	CHECK_EQUAL(unexpected, 0);
	return check_result();
}
