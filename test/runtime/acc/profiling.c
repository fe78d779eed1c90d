/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenACC 2.6's profiling interface, chapter 5: which events each construct delivers, in which
 * order to several callbacks, what they say, and what registering and toggling does.
 */
#include <acc_prof.h>
#include <pthread.h>

#include "check.h"

enum { SEEN_AT_MOST = 64 };

struct seen {
	acc_event_t event;
	acc_construct_t construct;
	int callback, implicit;
	long queue;
	void *tool_info;
};

static struct seen seen[SEEN_AT_MOST];
static int seen_count;

static void note(int callback, acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
	CHECK_EQUAL(prof->event_type, event->event_type);
	CHECK_EQUAL(prof->valid_bytes, _ACC_PROF_INFO_VALID_BYTES);
	CHECK_EQUAL(prof->version, _ACC_PROF_INFO_VERSION);
	CHECK_EQUAL(prof->device_number, 0);
	CHECK_EQUAL(acc_get_device_type(),
	    prof->event_type <= acc_ev_device_init_end ? acc_device_none : acc_device_host);
	CHECK_EQUAL(event->other_event.valid_bytes, _ACC_OTHER_EVENT_INFO_VALID_BYTES);
	CHECK_EQUAL(api->device_api, acc_device_api_none);
	CHECK_EQUAL(api->valid_bytes, _ACC_API_INFO_VALID_BYTES);
	CHECK_EQUAL(api->device_type, prof->device_type);
	if (!CHECK(seen_count < SEEN_AT_MOST))
		return;
	seen[seen_count++] = (struct seen){prof->event_type, event->other_event.parent_construct,
	    callback, event->other_event.implicit, prof->async, event->other_event.tool_info};
	event->other_event.tool_info = &seen[seen_count - 1];
}

static void first(acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
	note(1, prof, event, api);
}

static void second(acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
	note(2, prof, event, api);
}

/* Takes itself off while it is called. */
static void once(acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
	note(3, prof, event, api);
	acc_prof_unregister(prof->event_type, once, acc_reg);
}

static void check_seen(int index, acc_event_t event, acc_construct_t construct, long queue)
{
	if (!CHECK(index < seen_count))
		return;
	CHECK_EQUAL(seen[index].event, event);
	CHECK_EQUAL(seen[index].construct, construct);
	CHECK_EQUAL(seen[index].queue, queue);
}

/* A start and an end, which gets what the start's callback left, and nothing else since the last
 * check. */
static void check_pair(acc_event_t start, acc_construct_t construct, long queue)
{
	CHECK_EQUAL(seen_count, 2);
	check_seen(0, start, construct, queue);
	check_seen(1, start + 1, construct, queue);
	CHECK(seen[0].tool_info == NULL && seen[1].tool_info == &seen[0]);
	seen_count = 0;
}

static void compute(void)
{
	int runs = 0;

#pragma acc parallel copy(runs) num_gangs(1)
	runs++;
	CHECK_EQUAL(runs, 1);
}

/* Numbers the callbacks in the order in which a compute construct called them: 12 is first, second.
 */
static int called(void)
{
	int order = 0;

	seen_count = 0;
	compute();
	for (int i = 0; i < seen_count; i++)
		order = 10 * order + seen[i].callback;
	seen_count = 0;
	return order;
}

static void check_initialisation(void)
{
	compute();
	CHECK_EQUAL(seen_count, 4);
	check_seen(0, acc_ev_device_init_start, acc_construct_parallel, acc_async_sync);
	check_seen(1, acc_ev_device_init_end, acc_construct_parallel, acc_async_sync);
	CHECK_EQUAL(seen[0].implicit, 1);
	check_seen(2, acc_ev_compute_construct_start, acc_construct_parallel, acc_async_sync);
	CHECK_EQUAL(seen[2].implicit, 0);
	seen_count = 0;
	acc_set_device_type(acc_device_host);
	CHECK_EQUAL(seen_count, 0);
	acc_shutdown(acc_device_host);
	acc_init(acc_device_host);
	CHECK_EQUAL(seen[0].implicit, 0);
	check_pair(acc_ev_device_init_start, acc_construct_runtime_api, acc_async_sync);
}

static void check_constructs(void)
{
	int array[4] = {0};

	compute();
	check_pair(acc_ev_compute_construct_start, acc_construct_parallel, acc_async_sync);
#pragma acc data copy(array)
	check_pair(acc_ev_enter_data_start, acc_construct_data, acc_async_sync);
	check_pair(acc_ev_exit_data_start, acc_construct_data, acc_async_sync);
#pragma acc enter data copyin(array) async(4)
	check_pair(acc_ev_enter_data_start, acc_construct_enter_data, 4);
#pragma acc update device(array) async(5) wait(4)
	check_pair(acc_ev_update_start, acc_construct_update, 5);
#pragma acc host_data use_device(array)
	check_pair(acc_ev_enter_data_start, acc_construct_host_data, acc_async_sync);
	seen_count = 0;
#pragma acc exit data delete (array)
	check_pair(acc_ev_exit_data_start, acc_construct_exit_data, acc_async_sync);
#pragma acc wait
	CHECK_EQUAL(seen_count, 0);
	CHECK_ALL(array, 4, 0);
}

static void *compute_in_thread(void *order)
{
	*(int *)order = called();
	return NULL;
}

static int called_in_thread(void)
{
	pthread_t thread;
	int order = -1;

	if (CHECK(pthread_create(&thread, NULL, compute_in_thread, &order) == 0))
		pthread_join(thread, NULL);
	return order;
}

static void check_registration(void)
{
	const acc_event_t start = acc_ev_compute_construct_start, end = start + 1;

	CHECK_EQUAL(called(), 0);
	acc_prof_register(start, first, acc_reg);
	acc_prof_register(start, second, acc_reg);
	CHECK_EQUAL(called(), 12);
	acc_prof_register(end, first, acc_reg);
	acc_prof_register(end, second, acc_reg);
	CHECK_EQUAL(called(), 1221);
	acc_prof_register(end, once, acc_reg);
	CHECK_EQUAL(called(), 12321);
	CHECK_EQUAL(called(), 1221);

	/* As often as it was registered, and no more. */
	acc_prof_register(start, first, acc_reg);
	acc_prof_unregister(start, first, acc_reg);
	CHECK_EQUAL(called(), 1221);
	acc_prof_unregister(start, first, acc_reg);
	acc_prof_unregister(start, first, acc_reg);
	CHECK_EQUAL(called(), 221);
	acc_prof_register(start, first, acc_reg);
	CHECK_EQUAL(called(), 2121);

	/* What is no event is not registered, and does no harm. */
	acc_prof_register(acc_ev_none, first, acc_reg);
	acc_prof_register(acc_ev_last, first, acc_reg);
	acc_prof_register((acc_event_t)4711, first, acc_reg);
	CHECK_EQUAL(called(), 2121);
}

static void check_toggles(void)
{
	const acc_event_t start = acc_ev_compute_construct_start;

	acc_prof_unregister(start, second, acc_toggle);
	CHECK_EQUAL(called(), 121);
	acc_prof_register(start, second, acc_toggle);
	acc_prof_unregister(start, NULL, acc_toggle);
	CHECK_EQUAL(called(), 21);
	acc_prof_register(start, NULL, acc_toggle);
	acc_prof_unregister(acc_ev_none, NULL, acc_toggle);
	CHECK_EQUAL(called(), 0);
	CHECK_EQUAL(called_in_thread(), 0);
	acc_prof_register(acc_ev_none, NULL, acc_toggle);
	acc_prof_unregister(acc_ev_none, NULL, acc_toggle_per_thread);
	CHECK_EQUAL(called(), 0);
	CHECK_EQUAL(called_in_thread(), 2121);
	acc_prof_register(acc_ev_none, NULL, acc_toggle_per_thread);
	CHECK_EQUAL(called(), 2121);
}

#define TEN(macro)                                                                                 \
	macro(0) macro(1) macro(2) macro(3) macro(4) macro(5) macro(6) macro(7) macro(8) macro(9)
#define DEFINE(number)                                                                             \
	static void numbered_##number(                                                             \
	    acc_prof_info *prof, acc_event_info *event, acc_api_info *api)                         \
	{                                                                                          \
		note(number, prof, event, api);                                                    \
	}
#define NAME(number) numbered_##number,

TEN(DEFINE)

/* More callbacks than anybody will have. */
static void check_many(void)
{
	const acc_prof_callback many[] = {TEN(NAME)};

	for (int i = 0; i < 10; i++)
		acc_prof_register(acc_ev_compute_construct_end, many[i], acc_reg);
	seen_count = 0;
	compute();
	CHECK_EQUAL(seen_count, 10);
	for (int i = 0; i < seen_count; i++)
		CHECK_EQUAL(seen[i].callback, 9 - i);
	for (int i = 0; i < 10; i++)
		acc_prof_unregister(acc_ev_compute_construct_end, many[i], acc_reg);
	CHECK_EQUAL(called(), 0);
}

static void change_all(acc_prof_reg change, acc_prof_callback callback)
{
	for (acc_event_t event = acc_ev_device_init_start; event < acc_ev_last; event++)
		change(event, callback, acc_reg);
}

int main(void)
{
	CHECK(acc_prof_lookup("acc_no_such_function") == NULL);
	acc_register_library(acc_prof_register, acc_prof_unregister, acc_prof_lookup);
	change_all(acc_prof_register, first);
	check_initialisation();
	check_constructs();
	change_all(acc_prof_unregister, first);
	check_registration();
	check_toggles();
	change_all(acc_prof_unregister, first);
	change_all(acc_prof_unregister, second);
	check_many();
	return check_result();
}
