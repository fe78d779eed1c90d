/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds a node by its parent and region. */
#include "region-stacks.h"

#include <stdlib.h>

#include "memory.h"

void region_stacks_init(
    struct region_stacks *stacks, const struct archive *archive, bool by_process)
{
	*stacks = (struct region_stacks){0};
	if (by_process && archive->process_count > 1)
		stacks->processes = archive->group_count;
	stacks->count = stacks->processes + 1;
	MEMORY_GROW(stacks->nodes, stacks->room, stacks->count);
	for (uint32_t i = 0; i < stacks->processes; i++)
		stacks->nodes[i + 1].region = i;
	stacks->places = memory_new(archive->location_count, sizeof(stacks->places[0]));
	for (size_t i = 0; i < archive->location_count; i++) {
		uint32_t group = archive->locations[i].group;

		if (stacks->processes > 0 && group != ARCHIVE_NO_INDEX)
			stacks->places[i].node = group + 1;
	}
}

void region_stacks_free(struct region_stacks *stacks)
{
	pair_map_free(&stacks->node_of);
	free(stacks->nodes);
	free(stacks->places);
}

void region_stacks_open(struct region_stacks *stacks, uint32_t location, uint32_t region)
{
	struct region_place *place = &stacks->places[location];
	uint32_t depth = stacks->nodes[place->node].depth;
	struct map_key key = {place->node, depth == REGION_FRAMES_MAX - 1 ? REGION_DEEPER : region};
	uint64_t *index;

	if (depth == REGION_FRAMES_MAX) {
		place->deeper++;
		return;
	}
	index = memory_pair_map_place(&stacks->node_of, key, stacks->count);
	if (*index == stacks->count)
		*MEMORY_ADD(stacks->nodes, stacks->room, stacks->count) =
		    (struct region_node){place->node, (uint32_t)key.second, depth + 1};
	place->node = (uint32_t)*index;
}

void region_stacks_close(struct region_stacks *stacks, uint32_t location)
{
	struct region_place *place = &stacks->places[location];

	if (place->deeper > 0)
		place->deeper--;
	else
		place->node = stacks->nodes[place->node].parent;
}
