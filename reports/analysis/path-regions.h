/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The critical path by region: its time in each region, and the waits that it skips there. The sums
 * are made where the path leads along: if several processes make a report, each has those of the
 * steps that it visits, and they can be added up.
 */
#ifndef PATH_REGIONS_H
#define PATH_REGIONS_H

#include "analysis.h"

/* A region's part of the path, in ticks. */
struct path_region {
	bool is_on_path; /* true even for a moment only, with a wait that was cut to nothing */
	uint64_t steps, total, activities[ACTIVITIES];
	/* How often, and for how long, the path skips a wait for the thread that ended it. */
	uint64_t cuts, waited;
	uint32_t mostly_by, ended_by; /* threads with most of total and of waited, or PATH_NONE */
};

/* A thread's part of a region's path, and the waits in the region that the thread ended. */
struct path_share {
	uint32_t region, thread;
	uint64_t mine, ended;
};

struct path_regions {
	struct path_region *regions; /* by construct; the last: outside of all constructs */
	size_t count;
	uint64_t cuts;
	struct pair_map share_of; /* (region, thread) to index */
	struct path_share *shares;
	size_t share_count, share_room;
	const bool *counted; /* by thread: whose part of the path counts; NULL: all */
};

/* Sums of no steps. `counted` must stay as long as steps are added. */
struct path_regions *path_regions_new(const struct analysis *analysis, const bool *counted);
void path_regions_free(struct path_regions *regions);

/* Adds a step, or takes an added one back. The context is the sums. */
void path_regions_add(void *context, const struct path_step *step);
void path_regions_take_back(void *context, const struct path_step *step);
/* Adds other sums of the same analysis. */
void path_regions_join(struct path_regions *regions, const struct path_regions *more);
/* Call when all is added: completes what follows from the sums. */
void path_regions_finish(struct path_regions *regions);

/* The end of the program and of the path: the thread with the last event; the first of equals. */
struct path_position path_regions_begin(const struct analysis *analysis);

/* Adds all steps of a path that is here, and completes the sums. */
void path_regions_walk(struct path_regions *regions, const struct analysis *analysis);

/* The region's name. The caller frees it. */
char *path_regions_name(const struct analysis *analysis, size_t region);

#endif
