/* SPDX-License-Identifier: BSD-3-Clause */
/* The text form of what counters counted in the regions, and of what they could not. */
#include <string.h>

#include "printers.h"
#include "common/text-table.h"

static void metric_cell(const void *context, size_t row, int column, char *text)
{
	const struct printing *printing = context;
	const struct summary_region *region = printing_region(printing, row);

	if (column == 0)
		summary_format_region(text, TEXT_CELL_SIZE, region);
	else if (region->metrics == NULL)
		memcpy(text, "n/a", sizeof("n/a"));
	else if (strcmp(printing->summary->metrics[column - 1].unit, "ns") == 0)
		summary_format_time(text, region->metrics[column - 1]);
	else
		summary_format_count(text, region->metrics[column - 1]);
}

size_t text_metrics_dropped(FILE *out, const struct printing *printing)
{
	const struct summary *summary = printing->summary;
	size_t lines = 0;

	for (size_t i = 0; i < summary->dropped_count; i++) {
		char sentence[TEXT_CELL_SIZE];
		snprintf(sentence, sizeof(sentence), "%s: n/a, %s", summary->dropped[i].name,
		    summary->dropped[i].reason);
		lines += (size_t)text_print_wrapped(out, " ", "   ", sentence, printing->columns);
	}
	return lines;
}

/* The regions of the table above, with what their metrics counted; then what was not measured. */
void text_print_metrics(FILE *out, const struct printing *printing)
{
	const struct summary *summary = printing->summary;
	struct text_column columns[TEXT_COLUMNS_MAX] = {{"file:line construct", 0}};
	int count = 1;

	for (; (size_t)count <= summary->metric_count && count < TEXT_COLUMNS_MAX; count++)
		columns[count] = (struct text_column){
		    summary->metrics[count - 1].name, TEXT_COLUMNS_MAX - count};
	struct text_table table = {
	    columns, count, printing->rows.metrics, 0, metric_cell, printing};
	if (count > 1) {
		fputs("\nMETRICS of the regions (inclusive, all threads)\n", out);
		text_print_table(out, &table, printing->columns);
		text_print_rest(out, printing->rows.metrics, summary->region_count, "regions");
	}
	if (count == 1 && summary->dropped_count > 0)
		fputc('\n', out);
	text_metrics_dropped(out, printing);
}
