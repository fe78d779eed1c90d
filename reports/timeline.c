/* SPDX-License-Identifier: BSD-3-Clause */
/* The bins of timeline.h. */
#include <stdlib.h>

#include "memory.h"
#include "timeline.h"

struct timeline *timeline_new(size_t threads, size_t bins, uint64_t start, uint64_t length)
{
	struct timeline *timeline = memory_new(1, sizeof(*timeline));

	timeline->start = start;
	timeline->bins = bins;
	timeline->threads = threads;
	timeline->bin_ticks = length / bins + 1;
	timeline->cells = memory_new(threads * bins, sizeof(timeline->cells[0]));
	return timeline;
}

void timeline_free(struct timeline *timeline)
{
	if (!timeline)
		return;
	free(timeline->cells);
	free(timeline);
}

static void vote(struct timeline_bin *bin, uint32_t construct, float ticks)
{
	if (bin->construct == construct) {
		bin->lead += ticks;
	} else if (bin->lead >= ticks) {
		bin->lead -= ticks;
	} else {
		bin->lead = ticks - bin->lead;
		bin->construct = construct;
	}
}

void timeline_add(struct timeline *timeline, size_t thread, enum activity activity,
    uint32_t construct, uint64_t from, uint64_t to)
{
	uint64_t end = timeline->start + timeline->bins * timeline->bin_ticks;

	if (from < timeline->start)
		from = timeline->start;
	if (to > end)
		to = end;
	while (from < to) {
		size_t bin = (size_t)((from - timeline->start) / timeline->bin_ticks);
		uint64_t next = timeline->start + (bin + 1) * timeline->bin_ticks;
		uint64_t until = to < next ? to : next;
		struct timeline_bin *cell = &timeline->cells[thread * timeline->bins + bin];

		cell->ticks[activity] += (float)(until - from);
		vote(cell, construct, (float)(until - from));
		from = until;
	}
}

enum activity timeline_main_activity(const struct timeline_bin *bin)
{
	enum activity main = ACTIVITY_NONE;

	for (int i = 1; i < ACTIVITIES; i++) {
		if (bin->ticks[i] > bin->ticks[main])
			main = (enum activity)i;
	}
	return main;
}
