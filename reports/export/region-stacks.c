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

/* Returns the node of a region within a node; a new one gets the place. */
static uint32_t find_inner(
    struct region_stacks *stacks, uint32_t parent, uint32_t region, const struct first_place *first)
{
	uint64_t *index = memory_pair_map_place(
	    &stacks->node_of, (struct map_key){parent, region}, stacks->count);

	if (*index == stacks->count)
		*MEMORY_ADD(stacks->nodes, stacks->room, stacks->count) =
		    (struct region_node){parent, region, stacks->nodes[parent].depth + 1, *first};
	return (uint32_t)*index;
}

void region_stacks_open(
    struct region_stacks *stacks, uint32_t location, uint32_t region, uint64_t time)
{
	const struct first_place first = {time, location, stacks->count};
	struct region_place *place = &stacks->places[location];
	uint32_t depth = stacks->nodes[place->node].depth;

	if (depth == REGION_FRAMES_MAX)
		place->deeper++;
	else
		place->node = find_inner(stacks, place->node,
		    depth == REGION_FRAMES_MAX - 1 ? REGION_DEEPER : region, &first);
}

void region_stacks_close(struct region_stacks *stacks, uint32_t location)
{
	struct region_place *place = &stacks->places[location];

	if (place->deeper > 0)
		place->deeper--;
	else
		place->node = stacks->nodes[place->node].parent;
}

void region_stacks_clear(struct region_stacks *stacks)
{
	stacks->count = stacks->processes + 1;
	pair_map_free(&stacks->node_of);
}

/* Nodes come after those around them. */
uint32_t *region_stacks_exchange(
    struct region_stacks *stacks, struct message *message, size_t *count)
{
	size_t before = stacks->processes + 1;
	uint32_t *here;

	*count = stacks->count;
	MESSAGE_FIELD(message, *count);
	if (!message->reads) {
		message_bytes(
		    message, stacks->nodes + before, (*count - before) * sizeof(stacks->nodes[0]));
		return NULL;
	}
	here = memory_new(*count, sizeof(here[0]));
	for (size_t i = 0; i < *count; i++) {
		struct region_node node;

		here[i] = (uint32_t)i;
		if (i < before)
			continue;
		MESSAGE_FIELD(message, node);
		here[i] = find_inner(stacks, here[node.parent], node.region, &node.first);
		if (first_place_is_before(&node.first, &stacks->nodes[here[i]].first))
			stacks->nodes[here[i]].first = node.first;
	}
	return here;
}

static int by_first_place(const void *left, const void *right)
{
	const struct region_node *const *one = left, *const *other = right;

	return first_place_is_before(&(*one)->first, &(*other)->first) ? -1 : *one != *other;
}

uint32_t *region_stacks_order(struct region_stacks *stacks)
{
	size_t before = stacks->processes + 1;
	uint32_t *now = memory_new(stacks->count, sizeof(now[0]));
	struct region_node *nodes = memory_new(stacks->count, sizeof(nodes[0]));
	const struct region_node **order = memory_new(stacks->count, sizeof(const void *));

	for (size_t i = 0; i < stacks->count; i++)
		order[i] = &stacks->nodes[i];
	qsort(order + before, stacks->count - before, sizeof(const void *), by_first_place);
	for (size_t i = 0; i < stacks->count; i++)
		now[order[i] - stacks->nodes] = (uint32_t)i;
	for (size_t i = 0; i < stacks->count; i++) {
		nodes[i] = *order[i];
		nodes[i].parent = now[nodes[i].parent];
	}
	free(stacks->nodes);
	stacks->nodes = nodes;
	stacks->room = stacks->count;
	free((void *)order);
	return now;
}
