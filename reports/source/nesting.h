/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions as a tree: what stands within another region's lines belongs to that region. */
#ifndef NESTING_H
#define NESTING_H

#include "shared/summary-figures.h"

/* A region at its place in the tree. */
struct nested_region {
	size_t index; /* in the summary */
	int depth;    /* regions around it */
};

/*
 * The summary's regions in the order of a tree: each before those within it, siblings by the best
 * of summary_order_regions() that is in them. By lines, so that a construct in a function of its
 * own has no parent. The caller frees it.
 */
struct nested_region *nesting_order(const struct summary *summary);

/* Thread time of the region's own: without nested regions, with its waits. Adds up to the whole. */
uint64_t nesting_own_time(const struct summary_region *region);

#endif
