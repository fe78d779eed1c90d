/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical path by region: its time in each region, and the waits that it skips there. */
#ifndef PATH_REGIONS_H
#define PATH_REGIONS_H

#include "analysis.h"

/* A region's part of the path, in ticks. */
struct path_region {
	bool is_on_path; /* true even for a moment only, with a wait that was cut to nothing */
	uint64_t total, activities[ACTIVITIES];
	/* How often, and for how long, the path skips a wait for the thread that ended it. */
	uint64_t cuts, waited;
	uint32_t mostly_by, ended_by; /* threads with most of total and of waited, or PATH_NONE */
};

struct path_regions {
	struct path_region *regions; /* by construct; the last: outside of all constructs */
	size_t count;
	uint64_t cuts;
};

/*
 * Needs an analysis with a path that is not full. `counted`, by location: the threads whose part of
 * the path counts; NULL for all.
 */
void path_regions_find(
    struct path_regions *found, const struct analysis *analysis, const bool *counted);
void path_regions_free(struct path_regions *found);

/* The region's name. The caller frees it. */
char *path_regions_name(const struct analysis *analysis, size_t region);

#endif
