/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Readers and printers for the variables about places: OMP_PLACES, its older form
 * GOMP_CPU_AFFINITY, and OMP_AFFINITY_FORMAT.
 */
#include <string.h>

#include "affinity-format.h"
#include "places.h"
#include "process.h"
#include "values.h"

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

/* The resulting places are shown as OMP_PLACES; libgomp's display also leaves this line empty. */
static void print_nothing(const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	(void)kind;
	(void)field;
	(void)out;
}

static bool parse_format(const struct rt_value_kind *kind, const char *text, void *field)
{
	(void)kind;
	(void)field;
	return rt_affinity_format_set(text, strlen(text));
}

static void print_format(const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	(void)kind;
	(void)field;
	rt_affinity_format_get(out);
}

const struct rt_value_kind rt_kind_places = {parse_places, print_places,
    "an abstract name or a list of places such as {0:2},{2:2}, with processors that may be used"};
const struct rt_value_kind rt_kind_cpu_affinity = {parse_cpu_affinity, print_nothing,
    "a list of processors such as 0 3 1-2 4-15:2, of which some may be used"};
const struct rt_value_kind rt_kind_affinity_format = {
    parse_format, print_format, "text with fields such as %n or %0.3{thread_num}"};
