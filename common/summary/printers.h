/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One printer per output format; summary_print() chooses. They write to `out` and do not check for
 * errors.
 */
#ifndef PRINTERS_H
#define PRINTERS_H

#include "common/figure-table.h"

/* How many rows of each table the text form prints. */
struct printing_rows {
	size_t regions, callers, hot, paths, serial, blocked, locks, tasks,
	    metrics; /* metrics: the regions' metrics */
};

/*
 * What every printer gets. The orders contain the indices of regions, locks and tasks in printing
 * order. They are NULL when memory ran out: then the order of the summary is used.
 */
struct printing {
	const struct summary *summary;
	struct summary_figures figures;
	const size_t *region_order, *lock_order, *task_order;
	int columns;
	size_t max_rows; /* per table, 0: all, SUMMARY_ROWS_SCREEN: what fits */
	struct printing_rows rows;
	/* Of text and JSON. */
	struct summary_advice advice;
};

void summary_print_text(FILE *out, const struct printing *printing);
void summary_print_json(FILE *out, const struct printing *printing);
void summary_print_csv(FILE *out, const struct printing *printing);
void summary_print_metrics(FILE *out, const struct printing *printing);

/* The tables, in printing order; `context` of each is the printing. */
struct figure_table printing_regions(const struct printing *printing);
struct figure_table printing_callers(const struct printing *printing);
struct figure_table printing_hot(const struct printing *printing);
struct figure_table printing_paths(const struct printing *printing);
struct figure_table printing_serial(const struct printing *printing);
struct figure_table printing_blocked(const struct printing *printing);
struct figure_table printing_locks(const struct printing *printing);
struct figure_table printing_tasks(const struct printing *printing);

/*
 * Writes a sentence for each dropped metric. Returns the number of lines; if `out` is NULL, it only
 * counts them.
 */
size_t text_metrics_dropped(FILE *out, const struct printing *printing);

/*
 * Writes that the kernel refused its figures, if it did. Returns the number of lines; prints
 * nothing if `out` is NULL.
 */
size_t text_refused(FILE *out, const struct printing *printing);

/*
 * Writes notes about regions that are identified by their code. Returns the number of lines; prints
 * nothing if `out` is NULL.
 */
size_t text_code_notes(FILE *out, const struct printing *printing);

/*
 * If part of the run was chosen, writes that the figures above cover everything, and what the rest
 * covers. Returns the number of lines; prints nothing if `out` is NULL.
 */
size_t text_chosen(FILE *out, const struct printing *printing);

/*
 * Computes the number of rows of each table from max_rows and, for the screen, from what else is
 * printed.
 */
void summary_choose_rows(struct printing *printing);

/* Events are lost for the whole run: a part of it may have lost all of them, or none. */
static inline uint64_t printing_lost(const struct printing *printing, uint64_t lost)
{
	return printing->summary->is_part && lost > 0 ? SUMMARY_NOT_MEASURED : lost;
}

/* Returns the i-th region in printing order. */
static inline const struct summary_region *printing_region(
    const struct printing *printing, size_t i)
{
	return &printing->summary->regions[printing->region_order ? printing->region_order[i] : i];
}

#endif
