/* SPDX-License-Identifier: BSD-3-Clause */
/* One printer per output format; print.c chooses. They write to `out` and look at no error. */
#ifndef PRINTERS_H
#define PRINTERS_H

#include "shared/summary-figures.h"

/*
 * What every printer gets. order holds the regions' indices, greatest gain first, or is NULL (no
 * memory): then the order of the summary is used.
 */
struct printing {
	const struct summary *summary;
	struct summary_figures figures;
	const size_t *order;
	int columns;
	size_t max_regions; /* rows per table, 0: all */
};

void summary_print_text(FILE *out, const struct printing *printing);
void summary_print_json(FILE *out, const struct printing *printing);
void summary_print_csv(FILE *out, const struct printing *printing);

/* The i-th region in printing order. */
static inline const struct summary_region *printing_region(
    const struct printing *printing, size_t i)
{
	return &printing->summary->regions[printing->order ? printing->order[i] : i];
}

#endif
