/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pair of regions and call path becomes a stack once; further samples find its node. Both are
 * listed from the outermost frame to the innermost one, and then merged.
 */
#include "sample-stacks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "memory.h"
#include "shared/code-names.h"
#include "shared/text-hash.h"
#include "slices.h"

void sample_stacks_init(
    struct sample_stacks *stacks, const struct archive *archive, bool without_lines)
{
	*stacks = (struct sample_stacks){
	    .archive = archive, .node_count = 1, .without_lines = without_lines};
	region_stacks_init(&stacks->regions, archive, false);
	MEMORY_GROW(stacks->nodes, stacks->node_room, 1);
	stacks->lock_wait = memory_new(archive->location_count, sizeof(stacks->lock_wait[0]));
	stacks->waits = memory_new(archive->region_count, sizeof(stacks->waits[0]));
	for (size_t i = 0; i < archive->region_count; i++)
		stacks->waits[i] = (unsigned char)analysis_region_wait(&archive->regions[i]);
}

void sample_stacks_free(struct sample_stacks *stacks)
{
	region_stacks_free(&stacks->regions);
	map_free(&stacks->frame_of);
	pair_map_free(&stacks->node_of);
	pair_map_free(&stacks->stack_of);
	free(stacks->frames);
	free(stacks->nodes);
	free(stacks->lock_wait);
	free(stacks->waits);
}

static const struct region_node *top_of(const struct sample_stacks *stacks, uint32_t location)
{
	return &stacks->regions.nodes[stacks->regions.places[location].node];
}

/* What a thread waits for at first in the location's innermost region. */
static enum activity top_wait(const struct sample_stacks *stacks, uint32_t location)
{
	const struct region_node *top = top_of(stacks, location);

	return top->depth > 0 && top->region < stacks->archive->region_count
		   ? stacks->waits[top->region]
		   : ACTIVITY_NONE;
}

void sample_stacks_open(
    struct sample_stacks *stacks, uint32_t location, uint32_t region, uint64_t time)
{
	region_stacks_open(&stacks->regions, location, region, time);
	/* A region within a critical begins when the wait is over. */
	stacks->lock_wait[location] =
	    top_wait(stacks, location) == ACTIVITY_LOCK ? top_of(stacks, location)->depth : 0;
}

void sample_stacks_close(struct sample_stacks *stacks, uint32_t location)
{
	region_stacks_close(&stacks->regions, location);
	stacks->lock_wait[location] = 0;
}

void sample_stacks_event(struct sample_stacks *stacks, const struct archive_event *event)
{
	if (event->kind == EVENT_ACQUIRE)
		stacks->lock_wait[event->location] = 0;
}

bool sample_stacks_wait(const struct sample_stacks *stacks, uint32_t location)
{
	switch (top_wait(stacks, location)) {
	case ACTIVITY_BARRIER:
	case ACTIVITY_TASK_WAIT:
		return true;
	case ACTIVITY_LOCK:
		return stacks->lock_wait[location] == top_of(stacks, location)->depth;
	default:
		return false;
	}
}

static uint32_t add_frame(struct sample_stacks *stacks, const struct sample_frame *frame)
{
	uint64_t hash = text_hash(TEXT_HASH_START ^ frame->region ^ (uint64_t)frame->line << 32 ^
				      (uint64_t)frame->kind << 60,
	    frame->file);
	size_t at = map_first(&stacks->frame_of, hash);

	for (; at != MAP_END; at = map_next(&stacks->frame_of, hash, at)) {
		uint32_t index = (uint32_t)map_value(&stacks->frame_of, at);
		const struct sample_frame *known = &stacks->frames[index];

		if (known->kind == frame->kind && known->region == frame->region &&
		    known->line == frame->line && strcmp(known->file, frame->file) == 0)
			return index;
	}
	*MEMORY_ADD(stacks->frames, stacks->frame_room, stacks->frame_count) = *frame;
	memory_map_add(&stacks->frame_of, hash, stacks->frame_count - 1);
	return (uint32_t)(stacks->frame_count - 1);
}

static uint32_t add_node(struct sample_stacks *stacks, uint32_t parent, struct sample_frame frame)
{
	if (stacks->without_lines)
		frame.line = 0;
	uint32_t index = add_frame(stacks, &frame);
	uint64_t *node = memory_pair_map_place(
	    &stacks->node_of, (struct map_key){parent, index}, stacks->node_count);

	if (*node == stacks->node_count)
		*MEMORY_ADD(stacks->nodes, stacks->node_room, stacks->node_count) =
		    (struct sample_node){parent, index, stacks->nodes[parent].depth + 1};
	return (uint32_t)*node;
}

/* Frames from the outermost to the innermost one. */
struct frame_list {
	struct sample_frame frame[SAMPLE_PATH_MAX];
	size_t count;
};

static void reverse(struct frame_list *list)
{
	for (size_t i = 0, j = list->count; i + 1 < j; i++) {
		struct sample_frame swap = list->frame[i];

		list->frame[i] = list->frame[--j];
		list->frame[j] = swap;
	}
}

static void list_path(const struct sample_stacks *stacks, uint32_t context, struct frame_list *list)
{
	const struct archive *archive = stacks->archive;

	list->count = 0;
	if (context == ARCHIVE_NO_INDEX)
		list->frame[list->count++] =
		    (struct sample_frame){SAMPLE_FRAME_CODE, ARCHIVE_NO_INDEX, 0, ""};
	while (context != ARCHIVE_NO_INDEX && list->count < SAMPLE_PATH_MAX) {
		const struct archive_context *place = &archive->contexts[context];

		list->frame[list->count++] = (struct sample_frame){
		    SAMPLE_FRAME_CODE, place->region, place->line, place->file};
		context = place->parent;
	}
	if (context != ARCHIVE_NO_INDEX)
		list->frame[list->count - 1] =
		    (struct sample_frame){SAMPLE_FRAME_CALLERS, ARCHIVE_NO_INDEX, 0, ""};
	reverse(list);
}

static void list_regions(const struct sample_stacks *stacks, uint32_t node, struct frame_list *list)
{
	const struct archive *archive = stacks->archive;

	for (list->count = 0; node != 0; node = stacks->regions.nodes[node].parent) {
		uint32_t index = stacks->regions.nodes[node].region;
		struct sample_frame frame = {SAMPLE_FRAME_REGION, index, 0, ""};

		if (index == REGION_DEEPER)
			frame.kind = SAMPLE_FRAME_DEEPER;
		else if (index != ARCHIVE_NO_INDEX)
			frame = (struct sample_frame){SAMPLE_FRAME_REGION, index,
			    archive->regions[index].begin_line, archive->regions[index].file};
		list->frame[list->count++] = frame;
	}
	reverse(list);
}

static bool is_in(const struct sample_stacks *stacks, const struct sample_frame *code,
    const struct sample_frame *region)
{
	return region->line > 0 && code->line >= region->line &&
	       code->line <= stacks->archive->regions[region->region].end_line &&
	       strcmp(code_file_name(code->file), code_file_name(region->file)) == 0;
}

/*
 * Returns how many frames of the path are outside of the region, which is after the first `from`
 * ones. *is_named: the next one is the region itself.
 */
static size_t frames_outside(const struct sample_stacks *stacks, const struct frame_list *path,
    size_t from, const struct sample_frame *region, bool *is_named)
{
	*is_named = false;
	if (region->kind != SAMPLE_FRAME_REGION || region->region == ARCHIVE_NO_INDEX)
		return from;
	for (size_t i = from; i < path->count; i++) {
		if (path->frame[i].region != region->region)
			continue;
		*is_named = true;
		return i;
	}
	for (size_t i = from; i < path->count; i++) {
		/* Called from the line of the directive is what executes the directive. */
		if (is_in(stacks, &path->frame[i], region))
			return i + (path->frame[i].line == region->line && i + 1 < path->count);
	}
	return from;
}

static uint32_t merge(
    struct sample_stacks *stacks, const struct frame_list *path, const struct frame_list *regions)
{
	uint32_t node = 0;
	size_t next = 0;

	for (size_t i = 0; i < regions->count; i++) {
		bool is_named;
		size_t outside = frames_outside(stacks, path, next, &regions->frame[i], &is_named);

		for (; next < outside; next++)
			node = add_node(stacks, node, path->frame[next]);
		node = add_node(stacks, node, regions->frame[i]);
		next += is_named;
	}
	for (; next < path->count; next++)
		node = add_node(stacks, node, path->frame[next]);
	return node;
}

uint32_t sample_stacks_node(struct sample_stacks *stacks, uint32_t around, uint32_t context)
{
	uint64_t *stack = memory_pair_map_place(
	    &stacks->stack_of, (struct map_key){around, context}, MAP_NONE - 1);
	struct frame_list path, regions;

	if (*stack == MAP_NONE - 1) {
		list_path(stacks, context, &path);
		list_regions(stacks, around, &regions);
		*stack = merge(stacks, &path, &regions);
	}
	return (uint32_t)*stack;
}

uint32_t sample_stacks_find(struct sample_stacks *stacks, uint32_t location, uint32_t context)
{
	return sample_stacks_node(stacks, stacks->regions.places[location].node, context);
}

const char *sample_frame_name(const struct sample_stacks *stacks, const struct sample_frame *frame)
{
	const char *name = "";

	switch (frame->kind) {
	case SAMPLE_FRAME_REGION:
		return slices_region_name(stacks->archive, frame->region);
	case SAMPLE_FRAME_DEEPER:
		return "(deeper)";
	case SAMPLE_FRAME_CALLERS:
		return "(more callers)";
	case SAMPLE_FRAME_CODE:
		break;
	}
	if (frame->region != ARCHIVE_NO_INDEX)
		name = slices_region_name(stacks->archive, frame->region);
	return name[0] ? name : frame->file[0] ? frame->file : "?";
}
