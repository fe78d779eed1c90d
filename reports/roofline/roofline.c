/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A construct's rate is that of its threads while they are in it: its operations by its mean time
 * on a thread. The machine's figures are those of so many threads, or of the next more that were
 * measured.
 */
#include "roofline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/machine-figures.h"
#include "memory.h"
#include "region-counters.h"

/* Bytes and operations both belong to a point. */
static const enum region_counter needed[] = {COUNTED_OPERATIONS, COUNTED_BYTES};
enum { NEEDED = sizeof(needed) / sizeof(needed[0]) };

/* Describes the first counter that the run lacks; NULL if it has both. */
static char *describe_missing_counter(const struct summary *summary, bool *was_wanted)
{
	static const char *const what[NEEDED] = {
	    "floating-point operations were not counted", "bytes from memory were not counted"};
	char *text = NULL;

	for (int i = 0; i < NEEDED; i++) {
		char *names = region_counter_names(summary, needed[i]);
		char *dropped = region_counter_dropped(summary, needed[i]);

		*was_wanted |= names || dropped;
		if (!names && !text)
			text =
			    memory_print("No roofline: %s%s%s%s; POMP_METRICS=%s,%s counts what it "
					 "needs, where the processor lets programs count.",
				what[i], dropped ? " (" : "", dropped ? dropped : "",
				dropped ? ")" : "", region_counter_wanted(COUNTED_OPERATIONS),
				region_counter_wanted(COUNTED_BYTES));
		free(names);
		free(dropped);
	}
	return text;
}

/* The row of so many threads, or of the next more, or the last one. */
static const struct machine_row *find_row(const struct machine_figures *figures, uint64_t threads)
{
	size_t row = 0;

	while (row + 1 < figures->count && figures->rows[row].threads < threads)
		row++;
	return &figures->rows[row];
}

/* Returns false if this machine has not been measured. */
static bool read_machine(struct roofline *roofline, uint64_t threads)
{
	struct machine_figures figures;
	char path[PATH_MAX];

	if (!machine_figures_path(path) || machine_figures_read(path, &figures) != 0)
		return false;
	const struct machine_row *row = find_row(&figures, threads);
	if (!(row->peak > 0))
		return false;
	snprintf(roofline->processor, sizeof(roofline->processor), "%s", figures.processor);
	roofline->threads = row->threads;
	roofline->bandwidth = row->bandwidth;
	roofline->peak = row->peak;
	return true;
}

static void add_point(
    struct roofline *roofline, const struct summary *summary, const struct summary_region *region)
{
	double operations = region_counted(summary, region, COUNTED_OPERATIONS);
	double bytes = region_counted(summary, region, COUNTED_BYTES);
	double threads = (double)region->threads, time = (double)region->time;
	struct roofline_point point = {.region = region, .operations = operations, .bytes = bytes};

	if (!(operations > 0) || isnan(bytes) || region->time == SUMMARY_NOT_MEASURED ||
	    region->time == 0 || region->threads == 0)
		return;
	point.intensity = bytes > 0 ? operations / bytes : INFINITY;
	point.rate = 1e9 * operations / (time / threads);
	point.is_memory = point.intensity * roofline->bandwidth < roofline->peak;
	point.roof = point.is_memory ? point.intensity * roofline->bandwidth : roofline->peak;
	point.loss = point.rate < point.roof ? round(time * (1 - point.rate / point.roof)) : 0;
	roofline->points[roofline->count++] = point;
}

static int compare_points(const void *left, const void *right)
{
	const struct roofline_point *one = left, *other = right;

	if (one->loss != other->loss)
		return one->loss > other->loss ? -1 : 1;
	return (one->region > other->region) - (one->region < other->region);
}

struct roofline roofline_make(const struct summary *summary)
{
	struct roofline roofline = {NULL};

	roofline.missing = describe_missing_counter(summary, &roofline.was_wanted);
	if (roofline.missing)
		return roofline;
	if (!read_machine(&roofline, summary->threads)) {
		roofline.missing =
		    memory_print("No roofline: what this machine can do is not known; 'ompinst "
				 "machine' measures it once.");
		return roofline;
	}
	roofline.operations = region_counter_names(summary, COUNTED_OPERATIONS);
	roofline.bytes = region_counter_names(summary, COUNTED_BYTES);
	roofline.points = memory_new(summary->region_count, sizeof(roofline.points[0]));
	for (size_t i = 0; i < summary->region_count; i++)
		add_point(&roofline, summary, &summary->regions[i]);
	if (roofline.count > 1)
		qsort(roofline.points, roofline.count, sizeof(roofline.points[0]), compare_points);
	if (roofline.count == 0)
		roofline.missing = memory_print(
		    "No roofline: no construct was counted that has floating-point operations.");
	return roofline;
}

void roofline_free(struct roofline *roofline)
{
	free(roofline->missing);
	free(roofline->operations);
	free(roofline->bytes);
	free(roofline->points);
	*roofline = (struct roofline){NULL};
}
