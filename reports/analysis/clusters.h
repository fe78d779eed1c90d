/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Items that are alike, such as threads by what their time went to: few groups in place of many
 * rows.
 */
#ifndef CLUSTERS_H
#define CLUSTERS_H

#include <stddef.h>
#include <stdint.h>

/* A group of items. */
struct cluster {
	size_t count;
	size_t typical; /* the item next to the mean */
	double *mean;   /* of each share */
};

struct clusters {
	struct cluster *clusters; /* the most items first, then by their first item */
	size_t count;
	uint32_t *of;    /* by item */
	double distance; /* what two items of a group differ by at most, of 1 */
};

/*
 * Groups `items` items by their profiles, of each `shares` numbers from 0 to 1 that add up to 1 at
 * most. Items are alike when no more than 2 % of one has to be moved to become the other, or twice,
 * four times as much ... until there are at most `most` groups (1 or more). The same profiles give
 * the same groups, whatever machine this is.
 */
struct clusters clusters_find(const double *profiles, size_t items, size_t shares, size_t most);
void clusters_free(struct clusters *clusters);

#endif
