/* SPDX-License-Identifier: BSD-3-Clause */
/* The routines of OpenMP 5.1, 3.3, about places and affinity. */
#include "places.h"

#include <stddef.h>
#include <string.h>

#include "affinity-format.h"
#include "affinity.h"
#include "initial-thread.h"
#include "omp-api.h"
#include "process.h"
#include "thread.h"
#include "versions.h"

ROUTINE(omp_proc_bind_t, omp_get_proc_bind, (void))
{
	return rt_icvs()->bind;
}

ROUTINE(int, omp_get_num_places, (void))
{
	return (int)rt_process.places.count;
}

static bool is_place(int place)
{
	return place >= 0 && (uint32_t)place < rt_process.places.count;
}

ROUTINE(int, omp_get_place_num_procs, (int place))
{
	if (!is_place(place))
		return 0;
	struct rt_processors set = rt_places_get(&rt_process.places, (uint32_t)place);
	return (int)rt_processors_count(&set);
}

ROUTINE(void, omp_get_place_proc_ids, (int place, int *ids))
{
	if (!is_place(place))
		return;
	struct rt_processors set = rt_places_get(&rt_process.places, (uint32_t)place);
	size_t capacity = rt_processors_capacity(&set);
	for (size_t i = rt_processors_next(&set, 0); i < capacity;
	     i = rt_processors_next(&set, i + 1))
		*ids++ = (int)i;
}

ROUTINE(int, omp_get_place_num, (void))
{
	struct rt_thread *self = rt_self();

	rt_place_initial(self);
	return self->place;
}

ROUTINE(int, omp_get_partition_num_places, (void))
{
	return (int)rt_icvs()->partition_length;
}

ROUTINE(void, omp_get_partition_place_nums, (int *places))
{
	const struct rt_task_icvs *icvs = rt_icvs();

	for (uint32_t i = 0; i < icvs->partition_length; i++)
		places[i] = (int)(icvs->partition_first + i);
}

ROUTINE(void, omp_set_affinity_format, (const char *format))
{
	if (format)
		rt_affinity_format_set(format, strlen(format));
}

ROUTINE(size_t, omp_get_affinity_format, (char *buffer, size_t size))
{
	struct rt_text text;

	rt_text_init(&text, buffer, size);
	rt_affinity_format_get(&text);
	return text.used;
}

ROUTINE(void, omp_display_affinity, (const char *format))
{
	struct rt_thread *self = rt_self();

	rt_place_initial(self);
	rt_affinity_display(self, format);
}

ROUTINE(size_t, omp_capture_affinity, (char *buffer, size_t size, const char *format))
{
	struct rt_thread *self = rt_self();
	struct rt_text text;

	rt_place_initial(self);
	rt_text_init(&text, buffer, size);
	rt_affinity_expand(self, format, &text);
	return text.used;
}

/* clang's omp.h calls them by these names. */
ONLY_IN_LIBOMP(ompc_set_affinity_format, omp_set_affinity_format);
ONLY_IN_LIBOMP(ompc_get_affinity_format, omp_get_affinity_format);
ONLY_IN_LIBOMP(ompc_display_affinity, omp_display_affinity);
ONLY_IN_LIBOMP(ompc_capture_affinity, omp_capture_affinity);
