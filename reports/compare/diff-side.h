/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One side of a comparison: the runs of one program, their regions brought together, and what the
 * runs have in common (medians) and not (spreads). Regions of two sides, or of two runs, are
 * matched by file, construct, name and line; those of a file that moved (same construct and name,
 * another line) by their order among themselves.
 */
#ifndef DIFF_SIDE_H
#define DIFF_SIDE_H

#include "report.h"

/* A region that some of the runs have; each array has a value of each run, 0 where it has none. */
struct diff_region {
	const struct summary_region *region; /* of the first run that has it */
	uint64_t *times, *visits, *waits;    /* waits: SUMMARY_NOT_MEASURED where nothing waits */
	uint64_t *own;                       /* of times, without nested regions, with its waits */
	uint64_t *counts;                    /* of --measure; NULL without */
};

struct diff_side {
	struct report *runs;
	size_t count;
	uint64_t *walls;  /* of each run */
	uint64_t *counts; /* of each run, what --measure counted in all parallel regions, or NULL */
	bool counts_time; /* in nanoseconds */
	struct diff_region *regions;
	size_t region_count, region_room;
};

/* Reads the runs, with the counter of --measure, which each has to have. The exit status, 0 when
 * all went well; the caller finishes it in any case. */
int diff_side_read(
    struct diff_side *side, const char *const *paths, size_t count, const struct options *options);
void diff_side_finish(struct diff_side *side);

/* The median of a value of each run (of an even number the mean of the two in the middle). */
uint64_t diff_median(const uint64_t *values, size_t count);

/* From the least to the greatest; SUMMARY_NOT_MEASURED of a single one. */
uint64_t diff_spread(const uint64_t *values, size_t count);

#define DIFF_UNMATCHED SIZE_MAX

/*
 * For each region of b the index of a's that it is, or DIFF_UNMATCHED. The caller frees it. taken:
 * by region of a, set for those that b has as well.
 */
size_t *diff_match(const struct diff_side *a, const struct diff_side *b, bool *taken);

#endif
