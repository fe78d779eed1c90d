/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One side of a comparison: the runs of one program with their regions combined, and their medians
 * and spreads. Regions of two sides or runs are matched by file, construct, name and line. Regions
 * with the same construct and name on other lines, because a file changed, are matched in order;
 * sampled lines of a function by the number of lines by which they moved (moved-lines.h).
 */
#ifndef DIFF_SIDE_H
#define DIFF_SIDE_H

#include "hot-regions.h"
#include "profile-file.h"

/*
 * A region that some of the runs have; each array has one value per run, 0 if the run lacks the
 * region.
 */
struct diff_region {
	const struct summary_region *region; /* of the first run that has it */
	uint64_t *times, *visits, *waits;    /* waits: SUMMARY_NOT_MEASURED if nothing waits */
	uint64_t *own;    /* of times: without nested regions, but with the region's waits */
	uint64_t *counts; /* of the counter of --measure; NULL without it */
};

struct diff_side {
	struct report *runs;
	/*
	 * By run: the profile in place of an archive, of which the run has the summary and the
	 * figures, but no archive and no analysis; or all zero.
	 */
	struct profile_file *profiles;
	bool borrows_runs; /* runs and profiles belong to another side */
	size_t count;
	/*
	 * With --lines, --functions or --paths, what stands for the regions, by run; else NULL and
	 * HOT_NONE.
	 */
	struct hot_regions *hot;
	enum hot_kind hot_kind;
	uint64_t *walls;  /* of each run */
	uint64_t *counts; /* by run: the counter of --measure in all parallel regions, or NULL */
	bool counts_time; /* the counter is in nanoseconds */
	struct diff_region *regions;
	size_t region_count, region_room;
};

/*
 * Reads the runs, archives or profiles, and the counter of --measure, which each run must have.
 * Returns the exit status, 0 for success; the caller must finish the side in either case.
 */
int diff_side_read(
    struct diff_side *side, const char *const *paths, size_t count, const struct options *options);

/*
 * The same for runs that another side has read, which must be finished later. options may choose
 * other rows.
 */
int diff_side_borrow(struct diff_side *side, const struct diff_side *other,
    const char *const *paths, const struct options *options);
void diff_side_finish(struct diff_side *side);

/* The median of one value per run (for an even number, the mean of the two in the middle). */
uint64_t diff_median(const uint64_t *values, size_t count);

/*
 * The difference between the smallest and the greatest value; SUMMARY_NOT_MEASURED for a single
 * one.
 */
uint64_t diff_spread(const uint64_t *values, size_t count);

#define DIFF_UNMATCHED SIZE_MAX

/*
 * For each region of b, the index of the same region in a, or DIFF_UNMATCHED. The caller frees the
 * array. taken: by region of a; set for regions that b has as well.
 */
size_t *diff_match(const struct diff_side *a, const struct diff_side *b, bool *taken);

#endif
