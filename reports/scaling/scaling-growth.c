/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport scaling --growth: the same program has the same work on any number of threads. What it
 * has more of is a loss that no wait shows. A construct's work is what ran in it itself, without
 * waits and nested constructs; without the time in which threads lacked a processor or were
 * blocked, which is none. This file adds up runs; growth-causes.c says what the growth consists of.
 */
#include "scaling-growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "region-counters.h"
#include "region-name.h"
#include "shared/constructs.h"

#define SERIAL_PART "serial part"

static struct grown_region *find(struct scaling_growth *growth, const char *name)
{
	for (size_t i = 0; i < growth->count; i++) {
		if (strcmp(growth->regions[i].name, name) == 0)
			return &growth->regions[i];
	}
	struct grown_region *region = MEMORY_ADD(growth->regions, growth->room, growth->count);
	*region = (struct grown_region){.name = memory_copy_text(name)};
	return region;
}

/* Forgets the runs with a number of threads that is no longer the least, or the most. */
static void widen(struct scaling_growth *growth, uint64_t threads)
{
	bool first = growth->least == 0, fewer = first || threads < growth->least;
	bool more = first || threads > growth->most;

	for (size_t i = 0; i < growth->count && (fewer || more); i++) {
		if (fewer)
			growth->regions[i].few = (struct work_sum){0};
		if (more)
			growth->regions[i].many = (struct work_sum){0};
	}
	if (fewer)
		growth->least = threads;
	if (more) {
		growth->most = threads;
		growth->capacity = 0;
		growth->runs = 0;
	}
}

static double measured(uint64_t value)
{
	return value == SUMMARY_NOT_MEASURED ? NAN : (double)value;
}

static void add_run(struct work_sum *sum, const double *run)
{
	sum->least = sum->runs == 0 ? run[WORK] : fmin(sum->least, run[WORK]);
	sum->most = sum->runs == 0 ? run[WORK] : fmax(sum->most, run[WORK]);
	sum->runs++;
	for (int i = 0; i < WORK_VALUES; i++)
		sum->sums[i] += run[i];
}

static struct grown_region *add(
    struct scaling_growth *growth, uint64_t threads, const char *name, const double *run)
{
	struct grown_region *region = find(growth, name);

	if (threads == growth->least)
		add_run(&region->few, run);
	if (threads == growth->most)
		add_run(&region->many, run);
	return region;
}

/* What all threads of a team execute together is one execution. */
static double executions(const struct summary *summary, const struct summary_region *region)
{
	enum construct_kind kind =
	    construct_kind(construct_find(region->name, strlen(region->name)));
	bool is_by_team = kind == CONSTRUCT_KIND_PARALLEL || kind == CONSTRUCT_KIND_BARRIER ||
			  construct_is_shared_work(kind);
	bool is_known = region->threads > 0 && region->threads != SUMMARY_NOT_MEASURED;
	double threads = (double)(is_known ? region->threads : summary->threads);

	return measured(region->visits) / (is_by_team && threads > 0 ? threads : 1);
}

static void add_region(struct scaling_growth *growth, uint64_t threads,
    const struct summary *summary, const struct summary_region *from)
{
	char *name = report_region_name(from);
	const double run[WORK_VALUES] = {
	    [WORK] = measured(from->self),
	    [WORK_SYSTEM] = measured(from->system),
	    [WORK_FAULTS] = measured(from->faults),
	    [WORK_DELAYED] = measured(from->delayed),
	    [WORK_EXECUTIONS] = executions(summary, from),
	    [WORK_TIME] = measured(from->time),
	    [WORK_WAITS] = measured(summary_add(from->barrier_wait, from->enter_wait)),
	    [WORK_INSTRUCTIONS] = region_counted(summary, from, COUNTED_INSTRUCTIONS),
	    [WORK_OPERATIONS] = region_counted(summary, from, COUNTED_OPERATIONS),
	    [WORK_BYTES] = region_counted(summary, from, COUNTED_BYTES),
	};
	struct grown_region *region = add(growth, threads, name, run);

	region->is_task =
	    construct_kind(construct_find(from->name, strlen(from->name))) == CONSTRUCT_KIND_TASK;
	free(name);
}

static void add_serial_part(
    struct scaling_growth *growth, uint64_t threads, const struct summary_figures *figures)
{
	double run[WORK_VALUES];

	for (int i = 0; i < WORK_VALUES; i++)
		run[i] = NAN;
	run[WORK] = measured(figures->categories[SUMMARY_SERIAL]);
	if (!isnan(run[WORK]))
		add(growth, threads, SERIAL_PART, run);
}

void scaling_growth_add(struct scaling_growth *growth, const struct summary *summary,
    const struct summary_figures *figures)
{
	uint64_t threads = summary->threads > 0 ? summary->threads : 1;

	widen(growth, threads);
	for (size_t i = 0; i < summary->region_count; i++)
		if (summary->regions[i].self != SUMMARY_NOT_MEASURED)
			add_region(growth, threads, summary, &summary->regions[i]);
	add_serial_part(growth, threads, figures);
	if (threads == growth->most) {
		growth->capacity += (double)figures->capacity;
		growth->runs++;
	}
}

void scaling_growth_finish(struct scaling_growth *growth)
{
	for (size_t i = 0; i < growth->count; i++)
		free(growth->regions[i].name);
	free(growth->regions);
}
