/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Adds up the steps of the critical path by region and by thread. Sums are of unsigned numbers, so
 * that taking a step back undoes exactly what adding it did.
 */
#include "path-regions.h"

#include <stdlib.h>

#include "memory.h"

struct path_regions *path_regions_new(const struct analysis *analysis, const bool *counted)
{
	struct path_regions *regions = memory_new(1, sizeof(*regions));

	regions->count = analysis->construct_count + 1;
	regions->regions = memory_new(regions->count, sizeof(regions->regions[0]));
	regions->counted = counted;
	return regions;
}

void path_regions_free(struct path_regions *regions)
{
	if (!regions)
		return;
	free(regions->regions);
	pair_map_free(&regions->share_of);
	free(regions->shares);
	free(regions);
}

static struct path_share *find_share(struct path_regions *regions, uint32_t region, uint32_t thread)
{
	struct map_key key = {region, thread};
	uint64_t *index = memory_pair_map_place(&regions->share_of, key, regions->share_count);

	if (*index == regions->share_count)
		*MEMORY_ADD(regions->shares, regions->share_room, regions->share_count) =
		    (struct path_share){.region = region, .thread = thread};
	return &regions->shares[*index];
}

/* sign: 1, or its opposite to take the step back. */
static void count_step(struct path_regions *regions, const struct path_step *step, uint64_t sign)
{
	uint32_t last = (uint32_t)regions->count - 1;
	uint32_t index = step->construct < last ? step->construct : last;
	struct path_region *region = &regions->regions[index];
	uint64_t time = (step->to - step->from) * sign;

	if (regions->counted && !regions->counted[step->thread])
		return;
	region->steps += sign;
	region->total += time;
	region->activities[step->activity] += time;
	find_share(regions, index, step->thread)->mine += time;
	if (step->ended_by == PATH_NONE)
		return;
	region->cuts += sign;
	region->waited += step->waited * sign;
	find_share(regions, index, step->ended_by)->ended += step->waited * sign;
	regions->cuts += sign;
}

void path_regions_add(void *context, const struct path_step *step)
{
	count_step(context, step, 1);
}

void path_regions_take_back(void *context, const struct path_step *step)
{
	count_step(context, step, UINT64_MAX);
}

void path_regions_join(struct path_regions *regions, const struct path_regions *more)
{
	for (size_t i = 0; i < regions->count; i++) {
		struct path_region *sum = &regions->regions[i];
		const struct path_region *part = &more->regions[i];

		sum->steps += part->steps;
		sum->total += part->total;
		for (size_t j = 0; j < ACTIVITIES; j++)
			sum->activities[j] += part->activities[j];
		sum->cuts += part->cuts;
		sum->waited += part->waited;
	}
	regions->cuts += more->cuts;
	for (size_t i = 0; i < more->share_count; i++) {
		const struct path_share *part = &more->shares[i];
		struct path_share *share = find_share(regions, part->region, part->thread);

		share->mine += part->mine;
		share->ended += part->ended;
	}
}

/* The thread with the larger value, and of equals the first; none for 0. */
static void take_most(uint32_t *thread, uint64_t *most, uint32_t other, uint64_t value)
{
	if (value > *most || (value > 0 && value == *most && other < *thread)) {
		*most = value;
		*thread = other;
	}
}

void path_regions_finish(struct path_regions *regions)
{
	uint64_t *mine = memory_new(regions->count, sizeof(mine[0]));
	uint64_t *ended = memory_new(regions->count, sizeof(ended[0]));

	for (size_t i = 0; i < regions->count; i++) {
		struct path_region *region = &regions->regions[i];

		region->is_on_path = region->steps > 0;
		region->mostly_by = region->ended_by = PATH_NONE;
	}
	for (size_t i = 0; i < regions->share_count; i++) {
		const struct path_share *share = &regions->shares[i];
		struct path_region *region = &regions->regions[share->region];

		take_most(&region->mostly_by, &mine[share->region], share->thread, share->mine);
		take_most(&region->ended_by, &ended[share->region], share->thread, share->ended);
	}
	free(mine);
	free(ended);
}

struct path_position path_regions_begin(const struct analysis *analysis)
{
	uint32_t last = 0;

	for (uint32_t i = 1; i < analysis->archive->thread_count; i++) {
		if (analysis->threads[i].last_real_time > analysis->threads[last].last_real_time)
			last = i;
	}
	return (struct path_position){.thread = last, .time = analysis->last_time};
}

void path_regions_walk(struct path_regions *regions, const struct analysis *analysis)
{
	struct path_position begin = path_regions_begin(analysis);

	if (analysis->archive->thread_count > 0)
		path_walk(analysis->path, begin.thread, analysis->first_time, begin.time,
		    path_regions_add, regions);
	path_regions_finish(regions);
}

char *path_regions_name(const struct analysis *analysis, size_t region)
{
	return region < analysis->construct_count
		   ? analysis_construct_name(&analysis->constructs[region])
		   : memory_copy_text("(outside of all regions)");
}
