/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Fortran names of the API routines. Arguments come by reference, in four bytes or, for names
 * that end in _8_, in eight; logical values are integers; a character argument is an address in its
 * place and a length after all other arguments, without a null byte. This file has no routines that
 * Fortran calls by their C name, and no locks, whose Fortran names share functions with those of C.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "affinity-format.h"
#include "icv.h"
#include "initial-thread.h"
#include "message.h"
#include "omp-api.h"
#include "places.h"
#include "process.h"
#include "versions.h"

#pragma GCC visibility push(default)

/* A function without arguments. */
#define QUERY(type, name)                                                                          \
	ROUTINE(type, name##_, (void))                                                             \
	{                                                                                          \
		return name();                                                                     \
	}

/* A routine of one integer or logical argument, and the form for eight bytes. */
#define SETTER(name)                                                                               \
	ROUTINE(void, name##_, (const int32_t *value))                                             \
	{                                                                                          \
		name(*value);                                                                      \
	}                                                                                          \
	ROUTINE(void, name##_8_, (const int64_t *value))                                           \
	{                                                                                          \
		name(to_int(*value));                                                              \
	}

/* The same with a result. */
#define FUNCTION(type, name)                                                                       \
	ROUTINE(type, name##_, (const int32_t *value))                                             \
	{                                                                                          \
		return name(*value);                                                               \
	}                                                                                          \
	ROUTINE(type, name##_8_, (const int64_t *value))                                           \
	{                                                                                          \
		return name(to_int(*value));                                                       \
	}

/* The nearest int, so that a large logical stays true and a large count stays large. */
static int to_int(int64_t value)
{
	return value > INT_MAX ? INT_MAX : value < INT_MIN ? INT_MIN : (int)value;
}

QUERY(int32_t, omp_get_num_threads)
QUERY(int32_t, omp_get_max_threads)
QUERY(int32_t, omp_get_thread_num)
QUERY(int32_t, omp_get_num_procs)
QUERY(int32_t, omp_in_parallel)
QUERY(int32_t, omp_in_final)
QUERY(int32_t, omp_in_explicit_task)
QUERY(int32_t, omp_get_thread_limit)
QUERY(int32_t, omp_get_level)
QUERY(int32_t, omp_get_active_level)
QUERY(int32_t, omp_get_num_teams)
QUERY(int32_t, omp_get_team_num)
QUERY(int32_t, omp_get_max_teams)
QUERY(int32_t, omp_get_teams_thread_limit)
QUERY(int32_t, omp_get_dynamic)
QUERY(int32_t, omp_get_nested)
QUERY(int32_t, omp_get_max_active_levels)
QUERY(int32_t, omp_get_supported_active_levels)
QUERY(int32_t, omp_get_cancellation)
QUERY(int32_t, omp_get_max_task_priority)
QUERY(double, omp_get_wtime)
QUERY(double, omp_get_wtick)
QUERY(int32_t, omp_get_proc_bind)
QUERY(int32_t, omp_get_num_places)
QUERY(int32_t, omp_get_place_num)
QUERY(int32_t, omp_get_partition_num_places)
QUERY(int32_t, omp_get_default_device)
QUERY(int32_t, omp_get_num_devices)
QUERY(int32_t, omp_get_device_num)
QUERY(int32_t, omp_is_initial_device)
QUERY(int32_t, omp_get_initial_device)
QUERY(omp_allocator_handle_t, omp_get_default_allocator)

SETTER(omp_set_num_threads)
SETTER(omp_set_dynamic)
SETTER(omp_set_nested)
SETTER(omp_set_max_active_levels)
SETTER(omp_set_num_teams)
SETTER(omp_set_teams_thread_limit)
SETTER(omp_set_default_device)
SETTER(omp_display_env)

FUNCTION(int32_t, omp_get_ancestor_thread_num)
FUNCTION(int32_t, omp_get_team_size)
FUNCTION(int32_t, omp_get_place_num_procs)

/* A setter and a getter for one device, and the forms for eight bytes. */
#define OF_DEVICE(setter, getter)                                                                  \
	ROUTINE(void, setter##_, (const int32_t *value, const int32_t *device))                    \
	{                                                                                          \
		setter(*value, *device);                                                           \
	}                                                                                          \
	ROUTINE(void, setter##_8_, (const int64_t *value, const int64_t *device))                  \
	{                                                                                          \
		setter(to_int(*value), to_int(*device));                                           \
	}                                                                                          \
	FUNCTION(int32_t, getter)

OF_DEVICE(omp_set_device_num_teams, omp_get_device_num_teams)
OF_DEVICE(omp_set_device_teams_thread_limit, omp_get_device_teams_thread_limit)

ROUTINE(
    int32_t, omp_get_supported_active_team_dims_, (const int32_t *device, const int32_t *native))
{
	return omp_get_supported_active_team_dims(*device, *native);
}

ROUTINE(
    int32_t, omp_get_supported_active_league_dims_, (const int32_t *device, const int32_t *native))
{
	return omp_get_supported_active_league_dims(*device, *native);
}

/* A device number by value and a pointer to characters as the result: see omp-interop.c. */
ROUTINE(void, omp_get_uid_from_device_, (const char **uid, size_t *length, int32_t device))
{
	*uid = omp_get_uid_from_device(device);
	*length = *uid ? strlen(*uid) : 0;
}

ROUTINE(void, omp_get_uid_from_device_8_, (const char **uid, size_t *length, int64_t device))
{
	omp_get_uid_from_device_(uid, length, to_int(device));
}

/* Blanks at the end fill a Fortran variable. */
ROUTINE(int32_t, omp_get_device_from_uid_, (const char *uid, size_t length))
{
	while (length > 0 && uid[length - 1] == ' ')
		length--;
	char *copy = strndup(uid, length);
	int device = omp_get_device_from_uid(copy);

	free(copy);
	return device;
}

ROUTINE(void, omp_set_schedule_, (const uint32_t *kind, const int32_t *chunk))
{
	omp_set_schedule(*kind, *chunk);
}

ROUTINE(void, omp_set_schedule_8_, (const uint32_t *kind, const int64_t *chunk))
{
	omp_set_schedule(*kind, to_int(*chunk));
}

/*
 * gcc's Fortran module has no name for the monotonic modifier, and programs compare with plain
 * kinds.
 */
LONE_ROUTINE(void, omp_get_schedule_, (uint32_t * kind, int32_t *chunk))
{
	omp_get_schedule(kind, chunk);
	*kind &= ~RT_SCHEDULE_MONOTONIC;
}

LONE_ROUTINE(void, omp_get_schedule_8_, (uint32_t * kind, int64_t *chunk))
{
	int32_t narrow;

	omp_get_schedule_(kind, &narrow);
	*chunk = narrow;
}

ROUTINE(void, omp_get_place_proc_ids_, (const int32_t *place, int32_t *ids))
{
	omp_get_place_proc_ids(*place, ids);
}

ROUTINE(void, omp_get_place_proc_ids_8_, (const int64_t *place, int64_t *ids))
{
	if (*place < 0 || *place >= rt_process.places.count)
		return;
	struct rt_processors set = rt_places_get(&rt_process.places, (uint32_t)*place);
	size_t capacity = rt_processors_capacity(&set);
	for (size_t i = rt_processors_next(&set, 0); i < capacity;
	     i = rt_processors_next(&set, i + 1))
		*ids++ = (int64_t)i;
}

ROUTINE(void, omp_get_partition_place_nums_, (int32_t * places))
{
	omp_get_partition_place_nums(places);
}

ROUTINE(void, omp_get_partition_place_nums_8_, (int64_t * places))
{
	const struct rt_task_icvs *icvs = rt_icvs();

	for (uint32_t i = 0; i < icvs->partition_length; i++)
		places[i] = (int64_t)icvs->partition_first + i;
}

ROUTINE(void, omp_fulfill_event_, (omp_event_handle_t event))
{
	omp_fulfill_event(event);
}

ROUTINE(int32_t, omp_pause_resource_, (const int32_t *kind, const int32_t *device))
{
	return omp_pause_resource((omp_pause_resource_t)*kind, *device);
}

ROUTINE(int32_t, omp_pause_resource_all_, (const int32_t *kind))
{
	return omp_pause_resource_all((omp_pause_resource_t)*kind);
}

ROUTINE(omp_allocator_handle_t, omp_init_allocator_,
    (const omp_memspace_handle_t *space, const int32_t *count, const omp_alloctrait_t *traits))
{
	return omp_init_allocator(*space, *count, traits);
}

ROUTINE(omp_allocator_handle_t, omp_init_allocator_8_,
    (const omp_memspace_handle_t *space, const int64_t *count, const omp_alloctrait_t *traits))
{
	return omp_init_allocator(*space, to_int(*count), traits);
}

ROUTINE(void, omp_destroy_allocator_, (const omp_allocator_handle_t *allocator))
{
	omp_destroy_allocator(*allocator);
}

ROUTINE(void, omp_set_default_allocator_, (const omp_allocator_handle_t *allocator))
{
	omp_set_default_allocator(*allocator);
}

/* Fills a character variable: the text is followed by blanks, without a null byte. */
static void fill(char *buffer, size_t size, const char *text, size_t length)
{
	size_t stored = length < size ? length : size;

	memcpy(buffer, text, stored);
	memset(buffer + stored, ' ', size - stored);
}

ROUTINE(void, omp_set_affinity_format_, (const char *format, size_t length))
{
	rt_affinity_format_set(format, length);
}

ROUTINE(size_t, omp_get_affinity_format_, (char *buffer, size_t size))
{
	char *text = malloc(size + 1);
	size_t length = omp_get_affinity_format(text, text ? size + 1 : 0);

	if (text)
		fill(buffer, size, text, length);
	free(text);
	return length;
}

ROUTINE(void, omp_display_affinity_, (const char *format, size_t length))
{
	char *copy = strndup(format, length);

	if (copy)
		omp_display_affinity(copy);
	free(copy);
}

ROUTINE(size_t, omp_capture_affinity_,
    (char *buffer, const char *format, size_t size, size_t format_length))
{
	char *copy = strndup(format, format_length);
	char *text = malloc(size + 1);
	size_t length = 0;

	if (copy && text) {
		length = omp_capture_affinity(text, size + 1, copy);
		fill(buffer, size, text, length);
	}
	free(text);
	free(copy);
	return length;
}

#pragma GCC visibility pop
