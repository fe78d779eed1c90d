/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions as a tree: a region within another region's lines belongs to that region. */
#ifndef NESTING_H
#define NESTING_H

#include "common/summary-figures.h"

/* A region and its place in the tree. */
struct nested_region {
	size_t index; /* in the summary */
	int depth;    /* number of regions around it */
};

/*
 * The summary's regions in the order of a tree: each comes before those within it, siblings are
 * ordered by the best place that summary_order_regions() gives to any region in their subtree.
 * Lines define the tree, so a construct in another function has no parent. The caller frees it.
 */
struct nested_region *nesting_order(const struct summary *summary);

/*
 * The region's own thread time: without nested regions, with its waits. These times add up to the
 * whole.
 */
uint64_t nesting_own_time(const struct summary_region *region);

#endif
