/* SPDX-License-Identifier: BSD-3-Clause */
/* ompreport roofline: constructs against the machine's bandwidth and peak, by counters. */
#include <math.h>
#include <stdlib.h>

#include "commands.h"
#include "report.h"
#include "roofline.h"

static const struct table_column columns[] = {
    {"region", "region", CELL_TEXT, 0},
    {"operations", "flop", CELL_COUNT, 3},
    {"bytes", "bytes", CELL_COUNT, 2},
    {"operations_per_byte", "flop/byte", CELL_FACTOR, 7},
    {"gflops", "Gflop/s", CELL_FACTOR, 9},
    {"roof_gflops", "roof", CELL_FACTOR, 6},
    {"share_of_roof", "of roof", CELL_SHARE, 8},
    {"limit", "limit", CELL_TEXT, 5},
    {"time_ns", "time", CELL_TIME, 4},
    {"loss_ns", "below roof", CELL_TIME, 10},
};

static void put_point(struct table *table, const struct roofline_point *point)
{
	char *name = report_region_name(point->region);

	table_put_text(table, name);
	table_put_number(table, (uint64_t)point->operations);
	table_put_number(table, (uint64_t)point->bytes);
	table_put_ratio(table, isinf(point->intensity) ? -1 : point->intensity);
	table_put_ratio(table, point->rate / 1e9);
	table_put_ratio(table, point->roof / 1e9);
	table_put_ratio(table, point->rate / point->roof);
	table_put_text(table, point->is_memory ? "memory" : "arithmetic");
	table_put_number(table, point->region->time);
	table_put_number(table, (uint64_t)point->loss);
	free(name);
}

static int fill(struct table *table, const struct report *report, const struct options *options)
{
	struct roofline roofline = roofline_make(&report->summary);

	(void)options;
	table_init(table, "roofline", "ROOFLINE (below roof: thread time that the roof would save)",
	    columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < roofline.count; i++)
		put_point(table, &roofline.points[i]);
	if (roofline.missing)
		table_add_note(table, "%s", roofline.missing);
	else
		table_add_note(table,
		    "flop by %s, bytes by %s, 64 for each miss. %u thread%s of this machine (%s): "
		    "%.1f GB/s and %.1f Gflop/s, measured by 'ompinst machine'.",
		    roofline.operations, roofline.bytes, roofline.threads,
		    roofline.threads == 1 ? "" : "s", roofline.processor, roofline.bandwidth / 1e9,
		    roofline.peak / 1e9);
	roofline_free(&roofline);
	return 0;
}

int command_roofline(const struct options *options)
{
	return report_run(options, fill);
}
