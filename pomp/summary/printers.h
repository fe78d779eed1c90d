/* SPDX-License-Identifier: BSD-3-Clause */
/* One printer per output format; summary_print() chooses. They write to `out` and look at no error.
 */
#ifndef PRINTERS_H
#define PRINTERS_H

#include "shared/summary-figures.h"

/* How many rows of each table the text form prints. */
struct printing_rows {
	size_t regions, locks, tasks, metrics; /* metrics: the regions' metrics */
};

/*
 * What every printer gets. The orders hold the indices of regions, locks and tasks as they are to
 * be printed, or are NULL (no memory): then the order of the summary is used.
 */
struct printing {
	const struct summary *summary;
	struct summary_figures figures;
	const size_t *region_order, *lock_order, *task_order;
	int columns;
	size_t max_rows; /* per table, 0: all, SUMMARY_ROWS_SCREEN: what fits */
	struct printing_rows rows;
};

void summary_print_text(FILE *out, const struct printing *printing);
void summary_print_json(FILE *out, const struct printing *printing);
void summary_print_csv(FILE *out, const struct printing *printing);

/*
 * Writes a sentence for each metric that was dropped; returns how many lines they take, and only
 * that without out.
 */
size_t text_metrics_dropped(FILE *out, const struct printing *printing);

/*
 * What is to be known of regions that are known by their code. Returns how many lines that takes;
 * prints nothing without `out`.
 */
size_t text_code_notes(FILE *out, const struct printing *printing);

/*
 * Says where some of the run was chosen that what is above is of all, and what follows of that.
 * Returns how many lines that takes; prints nothing without `out`.
 */
size_t text_chosen(FILE *out, const struct printing *printing);

/* From max_rows, and for the screen from what else there is to print, to the rows of each table. */
void summary_choose_rows(struct printing *printing);

/* Events are lost to the whole run: in a part of it may be all of them, or none. */
static inline uint64_t printing_lost(const struct printing *printing, uint64_t lost)
{
	return printing->summary->is_part && lost > 0 ? SUMMARY_NOT_MEASURED : lost;
}

/* The i-th in printing order. */
static inline const struct summary_region *printing_region(
    const struct printing *printing, size_t i)
{
	return &printing->summary->regions[printing->region_order ? printing->region_order[i] : i];
}

static inline const struct summary_lock *printing_lock(const struct printing *printing, size_t i)
{
	return &printing->summary->locks[printing->lock_order ? printing->lock_order[i] : i];
}

static inline const struct summary_task *printing_task(const struct printing *printing, size_t i)
{
	return &printing->summary->tasks[printing->task_order ? printing->task_order[i] : i];
}

#endif
