/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds which runs of a comparison are snapshots of the same one. */
#include "run-interval.h"
#include "streams.h"

#include <stdio.h>

/* Of all runs: those of the first side, then those of the second. */
static const struct report *run_at(const struct diff_comparison *comparison, size_t index)
{
	return index < comparison->a.count ? &comparison->a.runs[index]
					   : &comparison->b.runs[index - comparison->a.count];
}

static const char *path_at(const struct diff_comparison *comparison, size_t index)
{
	const struct options *options = comparison->options;
	size_t second = options->path_count - comparison->b.count;

	return options
	    ->paths[index < comparison->a.count ? index : second + index - comparison->a.count];
}

/* Intervals of a run lie beside each other, as runs do. */
static bool is_part_of(const struct summary *one, const struct summary *other)
{
	return one->began != 0 && one->began == other->began && !one->is_interval &&
	       !other->is_interval;
}

/* Without a judgement of whether it grew, and only if it is a pair. */
static bool has_meaning(const struct diff_comparison *comparison, size_t one, size_t other)
{
	const char *first = path_at(comparison, one), *second = path_at(comparison, other);
	const char *why = NULL;

	if (comparison->a.count + comparison->b.count > 2)
		why = "one contains the other; expected one snapshot of each run, or intervals "
		      "(ompinst snapshot --reset)";
	else if (comparison->options->threshold >= 0)
		why = "the second contains the first, so that growth says nothing; expected "
		      "--threshold with intervals (ompinst snapshot --reset) or with two runs";
	else if (run_at(comparison, one)->summary.wall > run_at(comparison, other)->summary.wall)
		why = "the first one was taken later; expected the earlier one first";
	if (why)
		fprintf(stream_messages(), "ompreport diff: %s, %s: snapshots of one run: %s\n",
		    first, second, why);
	return !why;
}

/* The useful time of all threads, as far as it is known. */
static uint64_t useful_of(const struct summary_figures *figures)
{
	uint64_t useful = figures->categories[SUMMARY_USEFUL],
		 serial = figures->categories[SUMMARY_SERIAL];

	return useful == SUMMARY_NOT_MEASURED || serial == SUMMARY_NOT_MEASURED
		   ? SUMMARY_NOT_MEASURED
		   : useful + serial;
}

static double efficiency_between(const struct report *earlier, const struct report *later)
{
	uint64_t before = useful_of(&earlier->figures), after = useful_of(&later->figures);
	uint64_t capacity = later->figures.capacity;

	/* With more threads than before, the time before the snapshot is counted for all of them.
	 */
	if (earlier->summary.threads != later->summary.threads || before == SUMMARY_NOT_MEASURED ||
	    after == SUMMARY_NOT_MEASURED || after < before ||
	    capacity <= earlier->figures.capacity)
		return -1;
	double share = (double)(after - before) / (double)(capacity - earlier->figures.capacity);
	return share > 1 ? 1 : share;
}

bool run_interval_find(const struct diff_comparison *comparison, struct run_interval *interval)
{
	size_t count = comparison->a.count + comparison->b.count;
	const struct report *earlier = run_at(comparison, 0), *later = run_at(comparison, 1);

	*interval = (struct run_interval){.efficiency = -1};
	for (size_t i = 0; i < count; i++) {
		for (size_t j = i + 1; j < count; j++) {
			if (!is_part_of(
				&run_at(comparison, i)->summary, &run_at(comparison, j)->summary))
				continue;
			if (!has_meaning(comparison, i, j))
				return false;
			interval->is_one_run = true;
		}
	}
	if (!interval->is_one_run)
		return true;
	interval->length = later->summary.wall - earlier->summary.wall;
	interval->efficiency = efficiency_between(earlier, later);
	return true;
}
