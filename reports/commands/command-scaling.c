/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport scaling A B C ...: runs of one program with different numbers of threads. Everything is
 * relative to the run with the fewest threads, which is assumed to be as fast as its threads allow.
 * With --regions: what limits scaling to more threads, region by region. With --growth: which work
 * has grown.
 */
#include <stdlib.h>

#include "commands.h"
#include "memory.h"
#include "profile-file.h"
#include "report.h"
#include "scaling-growth.h"
#include "scaling-regions.h"
#include "streams.h"

static const struct table_column columns[] = {
    {"archive", "archive", CELL_TEXT, 0},
    {"threads", "threads", CELL_COUNT, 12},
    {"wall_ns", "wall", CELL_TIME, 11},
    {"speedup", "speed-up", CELL_FACTOR, 10},
    {"scaling_efficiency", "scaling", CELL_SHARE, 9},
    {"work_growth", "work", CELL_FACTOR, 6},
    {"efficiency", "efficiency", CELL_SHARE, 8},
    {"serial_efficiency", "serial", CELL_SHARE, 5},
    {"mpi_efficiency", "MPI", CELL_SHARE, 2},
    {"running", "running", CELL_SHARE, 2},
    {"load_balance", "balance", CELL_SHARE, 4},
    {"waits_and_overhead", "waits", CELL_SHARE, 3},
};

/* What is kept of a run; its archive is closed before the next one is opened. */
struct run {
	const char *path;
	uint64_t threads, wall, work; /* work: useful and serial time in ns, or not measured */
	struct summary_figures figures;
};

/* Reads a profile, which has all that growing work needs. Returns 0, or -1 after a message. */
static int read_profile(
    struct scaling_growth *growth, const char *path, const struct options *options)
{
	struct profile_file profile;

	if (options->from > 0 || options->to != SUMMARY_NOT_MEASURED) {
		fprintf(stream_messages(),
		    "ompreport scaling: %s: --from, --to: a profile has only sums of the whole time; "
		    "expected archives\n",
		    path);
		return -1;
	}
	int result = profile_file_read(&profile, path);
	if (result == 0)
		scaling_growth_add(growth, &profile.summary, &profile.figures);
	profile_file_free(&profile);
	return result;
}

static int read_run(struct run *run, struct scaling_regions *regions, struct scaling_growth *growth,
    const char *path, const struct options *options)
{
	if (options->growth && profile_file_is(path))
		return read_profile(growth, path, options);

	struct report report;
	int result = report_read(&report, path, options);

	if (result == 0) {
		const uint64_t *categories = report.figures.categories;

		*run = (struct run){
		    .path = path,
		    .threads = report.summary.threads ? report.summary.threads : 1,
		    .wall = report.summary.wall,
		    .work =
			categories[SUMMARY_USEFUL] == SUMMARY_NOT_MEASURED
			    ? SUMMARY_NOT_MEASURED
			    : summary_add(categories[SUMMARY_USEFUL], categories[SUMMARY_SERIAL]),
		    .figures = report.figures,
		};
		if (options->regions)
			scaling_regions_add(regions, &report);
		if (options->growth)
			scaling_growth_add(growth, &report.summary, &report.figures);
	}
	report_finish(&report);
	return result;
}

static int compare_runs(const void *left, const void *right)
{
	const struct run *one = left, *other = right;

	if (one->threads != other->threads)
		return one->threads < other->threads ? -1 : 1;
	return (one->wall > other->wall) - (one->wall < other->wall);
}

static void fill(struct table *table, const struct run *runs, size_t count)
{
	const struct run *base = &runs[0];

	table_init(table, "scaling",
	    "SCALING, relative to the first row (scaling: speed-up by threads; work: useful time)",
	    columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < count; i++) {
		const struct run *run = &runs[i];
		double speedup = summary_share(base->wall, run->wall);

		table_put_text(table, run->path);
		table_put_number(table, run->threads);
		table_put_number(table, run->wall);
		table_put_ratio(table, speedup);
		table_put_ratio(table,
		    speedup < 0 ? -1 : speedup * (double)base->threads / (double)run->threads);
		table_put_ratio(table, summary_share(run->work, base->work));
		table_put_ratio(table, run->figures.total);
		table_put_ratio(table, run->figures.serial);
		table_put_ratio(table, run->figures.mpi);
		table_put_ratio(table, run->figures.running);
		table_put_ratio(table, run->figures.balance);
		table_put_ratio(table, run->figures.waiting);
	}
	if (base->threads == runs[count - 1].threads)
		table_add_note(table, "All runs have %llu threads: nothing is scaled.",
		    (unsigned long long)base->threads);
}

int command_scaling(const struct options *options)
{
	struct scaling_regions regions = {0};
	struct scaling_growth growth = {0};
	struct sharing_file sharing;
	struct table table;

	if (options->sharing && !options->growth) {
		fprintf(stream_messages(),
		    "ompreport scaling: --sharing is evidence for --growth, which is "
		    "missing; see 'ompreport scaling --help'\n");
		return 2;
	}
	if (sharing_file_read(&sharing, options->sharing) != 0)
		return 1;
	struct run *runs = memory_new(options->path_count, sizeof(runs[0]));
	int status = 0;

	for (size_t i = 0; i < options->path_count && status == 0; i++)
		status =
		    read_run(&runs[i], &regions, &growth, options->paths[i], options) == 0 ? 0 : 1;
	if (status == 0) {
		qsort(runs, options->path_count, sizeof(runs[0]), compare_runs);
		if (options->growth)
			scaling_growth_fill(&table, &growth, &sharing);
		else if (options->regions)
			scaling_regions_fill(&table, &regions);
		else
			fill(&table, runs, options->path_count);
		status = report_print(options, &table, 0);
		table_finish(&table);
	}
	scaling_regions_finish(&regions);
	scaling_growth_finish(&growth);
	sharing_file_free(&sharing);
	free(runs);
	return status;
}
