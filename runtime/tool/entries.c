/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entry points by name (OpenMP 5.2, 19.6), and those that describe the process. inquiry.h
 * answers what the calling thread does, from its record. None of them gives a thread a record: a
 * tool may call them in a signal handler, on any thread.
 */
#include "entries.h"

#include <sched.h>
#include <string.h>

#include "callbacks.h"
#include "events.h"
#include "finalize.h"
#include "inquiry.h"
#include "process.h"

struct value_name {
	int value;
	const char *name;
};

#define NAMED(value)                                                                               \
	{                                                                                          \
		value, #value                                                                      \
	}

/* The states that ompt_get_state() can return here, except for ompt_state_undefined. */
static const struct value_name states[] = {
    NAMED(ompt_state_work_serial),
    NAMED(ompt_state_work_parallel),
    NAMED(ompt_state_wait_barrier),
    NAMED(ompt_state_wait_barrier_implicit_parallel),
    NAMED(ompt_state_wait_barrier_implicit_workshare),
    NAMED(ompt_state_wait_barrier_explicit),
    NAMED(ompt_state_wait_barrier_implementation),
    NAMED(ompt_state_wait_taskwait),
    NAMED(ompt_state_wait_taskgroup),
    NAMED(ompt_state_wait_mutex),
    NAMED(ompt_state_wait_lock),
    NAMED(ompt_state_wait_critical),
    NAMED(ompt_state_wait_atomic),
    NAMED(ompt_state_wait_ordered),
    NAMED(ompt_state_idle),
};

static const struct value_name mutex_impls[] = {
    {RT_MUTEX_IMPL_FUTEX, "ompinst_mutex_impl_futex"},
    {RT_MUTEX_IMPL_TURN, "ompinst_mutex_impl_turn"},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The entry after `current`; the first one if `current` is `before_all`. 0: there is none. */
static int next_of(const struct value_name *list, size_t count, int before_all, int current,
    int *next, const char **name)
{
	size_t i = 0;

	if (current != before_all) {
		while (i < count && list[i].value != current)
			i++;
		i++;
	}
	if (i >= count)
		return 0;
	if (next != NULL)
		*next = list[i].value;
	if (name != NULL)
		*name = list[i].name;
	return 1;
}

static int enumerate_states(int current, int *next, const char **name)
{
	return next_of(states, COUNT(states), ompt_state_undefined, current, next, name);
}

static int enumerate_mutex_impls(int current, int *next, const char **name)
{
	return next_of(mutex_impls, COUNT(mutex_impls), ompt_mutex_impl_none, current, next, name);
}

static int get_num_procs(void)
{
	return (int)load_relaxed(&rt_process.processors);
}

static int get_num_places(void)
{
	return (int)rt_process.places.count;
}

/* Stores as many of the place's processors as there is room for; returns how many it has. */
static int get_place_proc_ids(int place, int size, int *ids)
{
	struct rt_processors set;
	size_t capacity;
	int count = 0;

	if (place < 0 || (uint32_t)place >= rt_process.places.count)
		return 0;
	set = rt_places_get(&rt_process.places, (uint32_t)place);
	capacity = rt_processors_capacity(&set);
	for (size_t i = rt_processors_next(&set, 0); i < capacity;
	     i = rt_processors_next(&set, i + 1)) {
		if (count < size && ids != NULL)
			ids[count] = (int)i;
		count++;
	}
	return count;
}

static int get_proc_id(void)
{
	return sched_getcpu();
}

/* The host is not counted. */
static int get_num_devices(void)
{
	return 0;
}

struct entry {
	const char *name;
	ompt_interface_fn_t function;
};

#define ENTRY_POINT(name, function)                                                                \
	{                                                                                          \
		name, (ompt_interface_fn_t)(function)                                              \
	}

static const struct entry entries[] = {
    ENTRY_POINT("ompt_enumerate_states", enumerate_states),
    ENTRY_POINT("ompt_enumerate_mutex_impls", enumerate_mutex_impls),
    ENTRY_POINT("ompt_set_callback", rt_callback_set),
    ENTRY_POINT("ompt_get_callback", rt_callback_get),
    ENTRY_POINT("ompt_get_thread_data", rt_inquire_thread_data),
    ENTRY_POINT("ompt_get_num_procs", get_num_procs),
    ENTRY_POINT("ompt_get_num_places", get_num_places),
    ENTRY_POINT("ompt_get_place_proc_ids", get_place_proc_ids),
    ENTRY_POINT("ompt_get_place_num", rt_inquire_place),
    ENTRY_POINT("ompt_get_partition_place_nums", rt_inquire_partition),
    ENTRY_POINT("ompt_get_proc_id", get_proc_id),
    ENTRY_POINT("ompt_get_state", rt_inquire_state),
    ENTRY_POINT("ompt_get_parallel_info", rt_inquire_parallel),
    ENTRY_POINT("ompt_get_task_info", rt_inquire_task),
    ENTRY_POINT("ompt_get_task_memory", rt_inquire_task_memory),
    ENTRY_POINT("ompt_get_target_info", rt_inquire_target),
    ENTRY_POINT("ompt_get_num_devices", get_num_devices),
    ENTRY_POINT("ompt_get_unique_id", rt_event_unique_id),
    ENTRY_POINT("ompt_finalize_tool", rt_tool_finalize_itself),
    ENTRY_POINT("ompinst_get_outlined_function", rt_inquire_code),
};

ompt_interface_fn_t rt_entry_lookup(const char *name)
{
	for (size_t i = 0; name != NULL && i < COUNT(entries); i++)
		if (strcmp(entries[i].name, name) == 0)
			return entries[i].function;
	return NULL;
}
