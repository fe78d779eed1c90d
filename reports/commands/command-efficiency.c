/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport efficiency: the POP factors. For one process they form an additive tree: each factor's
 * loss is thread time, and the losses of the leaves add up to that of the root. For MPI ranks they
 * form a tree of products, the hybrid one.
 */
#include "commands.h"
#include "efficiency.h"
#include "memory.h"
#include "report.h"

#include <stdlib.h>

static const struct table_column columns[] = {
    {"factor", "factor", CELL_TEXT, 0},
    {"efficiency", "efficiency", CELL_SHARE, 9},
    {"loss", "loss", CELL_SHARE, 8},
    {"loss_ns", "lost time", CELL_TIME, 7},
    {"meaning", NULL, CELL_TEXT, 0},
};

static void put_factor(struct table *table, const struct report *report, const char *label,
    double efficiency, const char *meaning)
{
	double loss = efficiency < 0 ? -1 : 1 - efficiency;

	table_put_text(table, label);
	table_put_ratio(table, efficiency);
	table_put_ratio(table, loss);
	table_put_number(table, loss < 0
				    ? SUMMARY_NOT_MEASURED
				    : (uint64_t)(loss * (double)report->figures.capacity + 0.5));
	table_put_text(table, meaning);
}

static const struct table_column hybrid_columns[] = {
    {"factor", "factor", CELL_TEXT, 0},
    {"efficiency", "efficiency", CELL_SHARE, 9},
    {"loss", "loss", CELL_SHARE, 8},
    {"key", NULL, CELL_TEXT, 0},
    {"meaning", NULL, CELL_TEXT, 0},
};

/* The losses of these factors are not times that add up. */
static void put_hybrid(struct table *table, const struct report *report)
{
	struct hybrid hybrid;
	bool known = hybrid_compute(report->analysis, &hybrid);

	for (int i = 0; i < HYBRID_FACTORS; i++) {
		double efficiency = known ? hybrid.factors[i] : -1;
		char *label =
		    memory_print("%*s%s", 2 * hybrid_names[i].depth, "", hybrid_names[i].title);

		table_put_text(table, label);
		table_put_ratio(table, efficiency);
		table_put_ratio(table, efficiency < 0 ? -1 : 1 - efficiency);
		table_put_text(table, hybrid_names[i].key);
		table_put_text(table, hybrid_names[i].meaning);
		free(label);
	}
	if (known && hybrid.factors[HYBRID_MPI_TRANSFER] < 0)
		table_add_note(table, "Without messages and collective operations in the archive, "
				      "waits and transfer cannot be distinguished.");
}

static void put_single(struct table *table, const struct report *report)
{
	const struct summary_figures *figures = &report->figures;

	put_factor(table, report, "efficiency", figures->total,
	    "useful or serial work in the thread time");
	put_factor(table, report, "  serial part", figures->serial,
	    "others idle while one thread runs outside parallel regions");
	if (figures->mpi >= 0)
		put_factor(table, report, "  MPI", figures->mpi,
		    "in functions of MPI, or idle while the first thread is there");
	if (figures->running >= 0)
		put_factor(table, report, "  running", figures->running,
		    "had work, and were without a processor or blocked in system calls");
	put_factor(
	    table, report, "  OpenMP", figures->openmp, "not useful within parallel regions");
	put_factor(table, report, "    load balance", figures->balance,
	    "parallel regions last as long as their slowest thread");
	put_factor(table, report, "    waits, overhead", figures->waiting,
	    "waits that are no imbalance, starting and ending teams");
	if (figures->total < 0)
		table_add_note(
		    table, "The archive has no teams or forks: what was useful is not known.");
	if (report->summary.note)
		table_add_note(table, "%s", report->summary.note);
}

static int fill(struct table *table, const struct report *report, const struct options *options)
{
	const struct summary_figures *figures = &report->figures;

	bool hybrid = report->archive->process_count > 1 && mpi_was_called(report->analysis->mpi);

	(void)options;
	if (hybrid)
		table_init(table, "efficiency",
		    "EFFICIENCY (a factor is the product of those below it)", hybrid_columns,
		    sizeof(hybrid_columns) / sizeof(hybrid_columns[0]));
	else
		table_init(table, "efficiency",
		    "EFFICIENCY (a factor's loss is the sum of those below it)", columns,
		    sizeof(columns) / sizeof(columns[0]));
	table_add_number(table, "wall_ns", "wall time", CELL_TIME, report->summary.wall);
	table_add_number(table, "threads", "threads", CELL_COUNT, report->summary.threads);
	table_add_number(table, "capacity_ns", "thread time", CELL_TIME, figures->capacity);
	for (int i = 0; i < SUMMARY_CATEGORIES; i++)
		/* The text contains it only if it is meaningful. */
		table_add_number(table, summary_category_names[i].key,
		    summary_has_category(figures, (enum summary_category)i)
			? summary_category_names[i].title
			: NULL,
		    CELL_TIME, figures->categories[i]);
	(hybrid ? put_hybrid : put_single)(table, report);
	return 0;
}

int command_efficiency(const struct options *options)
{
	return report_run(options, fill);
}
