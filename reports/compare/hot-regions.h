/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines, functions or call paths in the form of regions, so that they are compared as regions are:
 * time is the processor time of their samples, visits are their number, waits the processor time in
 * OpenMP's waits.
 */
#ifndef HOT_REGIONS_H
#define HOT_REGIONS_H

#include "report.h"

struct hot_regions {
	struct hot_code hot;
	char **names; /* of the regions that have a name of their own; ends with NULL */
	struct summary_region *regions;
	size_t count;
};

/*
 * What --lines, --functions or --paths and the filters choose of a run. Returns the exit status: 0,
 * or 1 after a message about samples that are missing or stand for an unknown time. The caller must
 * finish the regions in either case, before the run.
 */
int hot_regions_make(struct hot_regions *made, const struct report *run, const char *path,
    const struct options *options);
void hot_regions_finish(struct hot_regions *made);

#endif
