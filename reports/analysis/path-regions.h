/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical path by regions: what it has of each, and which waits it was cut at there. */
#ifndef PATH_REGIONS_H
#define PATH_REGIONS_H

#include "analysis.h"

/* What the path has of a region; ticks. */
struct path_region {
	bool is_on_path; /* if only for a moment, with a wait that was cut to nothing */
	uint64_t total, activities[ACTIVITIES];
	uint64_t cuts, waited;        /* waits left for the thread that ended them; until then */
	uint32_t mostly_by, ended_by; /* threads with most of total and of waited, or PATH_NONE */
};

struct path_regions {
	struct path_region *regions; /* by construct; the last one: outside of all */
	size_t count;
	uint64_t cuts;
};

/*
 * Of an analysis with a path that is not full. counted: by location, those whose part of the path
 * counts, NULL for all.
 */
void path_regions_find(
    struct path_regions *found, const struct analysis *analysis, const bool *counted);
void path_regions_free(struct path_regions *found);

/* The region's name. The caller frees it. */
char *path_regions_name(const struct analysis *analysis, size_t region);

#endif
