/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up the steps of the critical path by region and by thread. */
#include "path-regions.h"

#include <stdlib.h>

#include "memory.h"

/* A region's time on the path by thread, and by thread the waits in it that the thread ended. */
struct by_thread {
	uint64_t *mine, *ended;
};

struct walk {
	const struct analysis *analysis;
	struct path_regions *found;
	const bool *counted;       /* by thread, or NULL */
	struct by_thread *threads; /* by region */
};

static void take_step(void *context, const struct path_step *step)
{
	struct walk *walk = context;
	size_t threads = walk->analysis->archive->thread_count;
	size_t index =
	    step->construct < walk->found->count - 1 ? step->construct : walk->found->count - 1;
	struct path_region *region = &walk->found->regions[index];
	struct by_thread *by = &walk->threads[index];

	if (walk->counted && !walk->counted[step->thread])
		return;
	if (!by->mine) {
		by->mine = memory_new(threads, sizeof(by->mine[0]));
		by->ended = memory_new(threads, sizeof(by->ended[0]));
	}
	region->is_on_path = true;
	region->total += step->to - step->from;
	region->activities[step->activity] += step->to - step->from;
	by->mine[step->thread] += step->to - step->from;
	if (step->ended_by == PATH_NONE)
		return;
	region->cuts++;
	region->waited += step->waited;
	by->ended[step->ended_by] += step->waited;
	walk->found->cuts++;
}

/* The thread with the largest value (the first of equals); none if all values are 0. */
static uint32_t most_of(const uint64_t *ticks, size_t threads)
{
	uint32_t found = PATH_NONE;
	uint64_t most = 0;

	for (size_t i = 0; ticks && i < threads; i++) {
		if (ticks[i] > most) {
			most = ticks[i];
			found = (uint32_t)i;
		}
	}
	return found;
}

/* The thread with the last event, where the program ended; the first of equals. */
static uint32_t last_thread(const struct analysis *analysis)
{
	uint32_t last = 0;

	for (uint32_t i = 1; i < analysis->archive->thread_count; i++) {
		if (analysis->threads[i].last_real_time > analysis->threads[last].last_real_time)
			last = i;
	}
	return last;
}

void path_regions_find(
    struct path_regions *found, const struct analysis *analysis, const bool *counted)
{
	size_t threads = analysis->archive->thread_count;
	struct walk walk = {.analysis = analysis, .found = found, .counted = counted};

	*found = (struct path_regions){.count = analysis->construct_count + 1};
	found->regions = memory_new(found->count, sizeof(found->regions[0]));
	walk.threads = memory_new(found->count, sizeof(walk.threads[0]));
	if (threads > 0)
		path_walk(analysis->path, last_thread(analysis), analysis->first_time,
		    analysis->last_time, take_step, &walk);
	for (size_t i = 0; i < found->count; i++) {
		found->regions[i].mostly_by = most_of(walk.threads[i].mine, threads);
		found->regions[i].ended_by = most_of(walk.threads[i].ended, threads);
		free(walk.threads[i].mine);
		free(walk.threads[i].ended);
	}
	free(walk.threads);
}

void path_regions_free(struct path_regions *found)
{
	free(found->regions);
}

char *path_regions_name(const struct analysis *analysis, size_t region)
{
	return region < analysis->construct_count
		   ? analysis_construct_name(&analysis->constructs[region])
		   : memory_copy_text("(outside of all regions)");
}
