/* SPDX-License-Identifier: BSD-3-Clause */
/* summary_print(): computes what all formats need, once, and hands over to the format's printer. */
#include <stdlib.h>

#include "printers.h"

#define COLUMNS_MIN 60

static void (*const printers[])(FILE *out, const struct printing *printing) = {
    [SUMMARY_TEXT] = summary_print_text,
    [SUMMARY_JSON] = summary_print_json,
    [SUMMARY_CSV] = summary_print_csv,
};

int summary_print(FILE *out, const struct summary *summary, enum summary_format format, int columns,
    size_t max_regions)
{
	struct printing printing = {.summary = summary, .max_regions = max_regions};
	size_t *order = malloc((summary->region_count + 1) * sizeof(order[0]));

	if (order)
		summary_order_regions(summary, order);
	printing.order = order;
	printing.columns = columns < COLUMNS_MIN ? COLUMNS_MIN : columns;
	summary_compute(summary, &printing.figures);
	printers[format](out, &printing);
	free(order);
	return fflush(out) == EOF || ferror(out) ? -1 : 0;
}
