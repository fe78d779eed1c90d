/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For every stack of regions that occurred, the time spent in its innermost region alone, over all
 * chosen threads of a process.
 */
#ifndef REGION_TIMES_H
#define REGION_TIMES_H

#include "export.h"
#include "region-stacks.h"

struct region_times {
	struct region_stacks stacks;
	uint64_t *ticks; /* by node */
	size_t room;
	uint64_t ticks_per_second;
};

/* Reads all events. Of the choice only the time and the threads apply. */
void region_times_read(
    struct region_times *times, struct archive *archive, const struct export_choice *choice);
void region_times_free(struct region_times *times);

/* Returns the time in a node alone, in ns. */
uint64_t region_times_own(const struct region_times *times, uint32_t node);

#endif
