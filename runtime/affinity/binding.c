/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads and their places: the system call that binds one, when the initial threads are bound, and
 * the two variables that say what the places are.
 */
#include <sched.h>

#include "places.h"
#include "task.h"
#include "thread.h"
#include "values.h"

bool rt_bind_self(uint32_t place)
{
	struct rt_processors set = rt_places_get(&rt_process.places, place);

	return sched_setaffinity(0, set.bytes, (cpu_set_t *)set.words) == 0;
}

void rt_place_initial(struct rt_thread *self)
{
	const struct rt_task_icvs *icvs = self->task->icvs;

	if (likely(icvs->partition_length == 0 || self->place >= 0))
		return;
	self->place = (int32_t)icvs->partition_first;
	rt_bind_self(icvs->partition_first);
}

static bool parse_places(const struct rt_value_kind *kind, const char *text, void *field)
{
	struct rt_process *process = field;

	(void)kind;
	if (!rt_places_parse(
		&process->places, text, RT_SYSFS, &process->allowed, &process->places_dropped))
		return false;
	process->places_variable = "OMP_PLACES";
	return true;
}

static void print_places(const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	const struct rt_process *process = field;

	(void)kind;
	rt_places_print(&process->places, out);
}

static bool parse_cpu_affinity(const struct rt_value_kind *kind, const char *text, void *field)
{
	struct rt_process *process = field;

	(void)kind;
	if (!rt_places_parse_affinity(
		&process->places, text, &process->allowed, &process->places_dropped))
		return false;
	process->places_variable = "GOMP_CPU_AFFINITY";
	return true;
}

/* What it set is shown as OMP_PLACES; this line is empty in libgomp's display as well. */
static void print_nothing(const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	(void)kind;
	(void)field;
	(void)out;
}

const struct rt_value_kind rt_kind_places = {parse_places, print_places,
    "an abstract name or a list of places such as {0:2},{2:2}, with processors that may be used"};
const struct rt_value_kind rt_kind_cpu_affinity = {parse_cpu_affinity, print_nothing,
    "a list of processors such as 0 3 1-2 4-15:2, of which some may be used"};
