/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups similar items, such as threads by how they spent their time, so that a report shows a few
 * groups instead of many rows.
 */
#ifndef CLUSTERS_H
#define CLUSTERS_H

#include <stddef.h>
#include <stdint.h>

/* A group of items. */
struct cluster {
	size_t count;
	size_t typical; /* the item nearest to the mean */
	double *mean;   /* of each share */
};

struct clusters {
	struct cluster *clusters; /* largest first; equals by their first item */
	size_t count;
	uint32_t *of;    /* by item */
	double distance; /* the largest difference between an item and its group's leader, of 1 */
};

/*
 * Groups `items` items by their profiles; each profile has `shares` numbers from 0 to 1 with a sum
 * of at most 1. Items are similar if at most 2 % of one profile must be moved to turn it into the
 * other. If this gives more than `most` groups (1 or more), the limit is doubled until it does not.
 * Equal profiles give equal groups on every machine.
 */
struct clusters clusters_find(const double *profiles, size_t items, size_t shares, size_t most);
void clusters_free(struct clusters *clusters);

#endif
