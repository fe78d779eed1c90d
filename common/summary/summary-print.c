/* SPDX-License-Identifier: BSD-3-Clause */
/* summary_print(): computes once what all formats need, and calls the format's printer. */
#include <stdlib.h>

#include "printers.h"

#define COLUMNS_MIN 60

static void (*const printers[])(FILE *out, const struct printing *printing) = {
    [SUMMARY_TEXT] = summary_print_text,
    [SUMMARY_JSON] = summary_print_json,
    [SUMMARY_CSV] = summary_print_csv,
    [SUMMARY_OPENMETRICS] = summary_print_metrics,
};

static size_t *order_of(
    const struct summary *summary, size_t count, void (*sort)(const struct summary *, size_t *))
{
	size_t *order = malloc((count + 1) * sizeof(order[0]));

	if (order)
		sort(summary, order);
	return order;
}

int summary_print(FILE *out, const struct summary *summary, enum summary_format format, int columns,
    size_t max_rows)
{
	size_t *regions = order_of(summary, summary->region_count, summary_order_regions);
	size_t *locks = order_of(summary, summary->lock_count, summary_order_locks);
	size_t *tasks = order_of(summary, summary->task_count, summary_order_tasks);
	struct printing printing = {
	    .summary = summary,
	    .region_order = regions,
	    .lock_order = locks,
	    .task_order = tasks,
	    .columns = columns < COLUMNS_MIN ? COLUMNS_MIN : columns,
	    .max_rows = max_rows,
	    .advice = {.closing = ""},
	};

	summary_compute(summary, &printing.figures);
	if (format == SUMMARY_TEXT || format == SUMMARY_JSON)
		summary_advise_with_proof(summary, &printing.advice);
	summary_choose_rows(&printing);
	printers[format](out, &printing);
	free(regions);
	free(locks);
	free(tasks);
	return fflush(out) == EOF || ferror(out) ? -1 : 0;
}
