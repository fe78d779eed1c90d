/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Frames are found by the hash of their name and their parent. A frame has at least as many samples
 * as each frame below it, so that leaving out those with the fewest leaves whole paths.
 */
#include "flame-tree.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "shared/text-hash.h"

struct growth {
	struct flame_tree *tree;
	const struct analysis *analysis;
	struct pair_map frame_of; /* (parent; name and kind) to index */
};

static uint64_t hash_of(const struct link *link)
{
	uint64_t hash = text_hash_byte(TEXT_HASH_START, (unsigned char)link->kind);

	for (size_t i = 0; i < link->length; i++)
		hash = text_hash_byte(hash, (unsigned char)link->name[i]);
	return hash ^ link->construct;
}

static char *name_of(const struct analysis *analysis, const struct link *link)
{
	if (link->kind == LINK_CONSTRUCT)
		return analysis_construct_name(&analysis->constructs[link->construct]);
	return memory_print("%.*s", (int)link->length, link->name);
}

static size_t find_frame(struct growth *growth, size_t parent, const struct link *link)
{
	struct flame_tree *tree = growth->tree;
	struct map_key key = {parent, hash_of(link)};
	uint64_t *place = memory_pair_map_place(&growth->frame_of, key, tree->count);

	if (*place == tree->count)
		*MEMORY_ADD(tree->frames, tree->room, tree->count) = (struct flame_frame){
		    .kind = link->kind,
		    .name = name_of(growth->analysis, link),
		    .file = link->file ? link->file : "",
		    .parent = parent,
		    .first = FLAME_NONE,
		    .next = FLAME_NONE,
		    .level = parent == FLAME_NONE ? 0 : tree->frames[parent].level + 1,
		};
	return (size_t)*place;
}

static void add_samples(
    struct growth *growth, const struct call_chain *chain, const struct code_samples *samples)
{
	size_t parent = FLAME_NONE;

	for (size_t i = 0; i < chain->count; i++) {
		struct flame_frame *frame;

		parent = find_frame(growth, parent, &chain->links[i]);
		frame = &growth->tree->frames[parent];
		frame->samples += samples->count;
		frame->waits += samples->waits ? samples->count : 0;
		frame->own += i + 1 == chain->count ? samples->count : 0;
	}
	growth->tree->samples += samples->count;
}

static int most_first(const void *left, const void *right)
{
	const struct flame_frame *one = left, *other = right;
	int order;

	if (one->level != other->level)
		return one->level < other->level ? -1 : 1;
	if (one->samples != other->samples)
		return one->samples < other->samples ? 1 : -1;
	order = strcmp(one->name, other->name);
	return order ? order : (one->parent > other->parent) - (one->parent < other->parent);
}

static int compare_counts(const void *left, const void *right)
{
	uint64_t one = *(const uint64_t *)left, other = *(const uint64_t *)right;

	return (one < other) - (one > other);
}

/* The fewest samples of a frame that is kept. */
static uint64_t find_least(const struct flame_tree *tree, size_t frames_max)
{
	uint64_t *counts, least;

	if (tree->count <= frames_max)
		return 1;
	counts = memory_new(tree->count, sizeof(counts[0]));
	for (size_t i = 0; i < tree->count; i++)
		counts[i] = tree->frames[i].samples;
	qsort(counts, tree->count, sizeof(counts[0]), compare_counts);
	least = counts[frames_max] + 1;
	free(counts);
	return least;
}

/* Leaves out the smallest frames. */
static void prune(struct flame_tree *tree, size_t frames_max)
{
	size_t *moved = memory_new(tree->count, sizeof(moved[0])), kept = 0;

	tree->least = find_least(tree, frames_max);
	for (size_t i = 0; i < tree->count; i++) {
		struct flame_frame *frame = &tree->frames[i];

		if (frame->samples < tree->least) {
			free(frame->name);
			continue;
		}
		moved[i] = kept;
		if (frame->parent != FLAME_NONE)
			frame->parent = moved[frame->parent];
		tree->frames[kept++] = *frame;
	}
	tree->count = kept;
	free(moved);
}

/* Orders each frame's children. */
static void order(struct flame_tree *tree)
{
	size_t *moved = memory_new(tree->count, sizeof(moved[0]));

	/* Until they are ordered, `first` has a frame's own old index. */
	for (size_t i = 0; i < tree->count; i++)
		tree->frames[i].first = i;
	if (tree->count > 1)
		qsort(tree->frames, tree->count, sizeof(tree->frames[0]), most_first);
	for (size_t i = 0; i < tree->count; i++)
		moved[tree->frames[i].first] = i;
	tree->first = FLAME_NONE;
	for (size_t i = tree->count; i-- > 0;)
		tree->frames[i].first = FLAME_NONE;
	for (size_t i = tree->count; i-- > 0;) {
		struct flame_frame *frame = &tree->frames[i];
		size_t *place = &tree->first;

		if (frame->parent != FLAME_NONE) {
			frame->parent = moved[frame->parent];
			place = &tree->frames[frame->parent].first;
		}
		frame->next = *place;
		*place = i;
		if (frame->level >= tree->levels)
			tree->levels = frame->level + 1;
	}
	free(moved);
}

struct flame_tree flame_tree_make(const struct analysis *analysis, analysis_filter *takes,
    const void *context, size_t frames_max, size_t levels_max)
{
	struct flame_tree tree = {.first = FLAME_NONE};
	struct growth growth = {.tree = &tree, .analysis = analysis};
	struct call_chain chain = {0};
	bool *taken = analysis_taken_places(analysis, takes, context);

	for (size_t i = 0; i < analysis->sample_count; i++) {
		if (analysis->samples[i].count == 0 ||
		    !taken[analysis_place_of(analysis, &analysis->samples[i])])
			continue;
		call_chain_find(&chain, analysis, &analysis->samples[i], levels_max - 3);
		add_samples(&growth, &chain, &analysis->samples[i]);
	}
	free(taken);
	free(chain.links);
	pair_map_free(&growth.frame_of);
	prune(&tree, frames_max);
	order(&tree);
	return tree;
}

void flame_tree_finish(struct flame_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		free(tree->frames[i].name);
	free(tree->frames);
	*tree = (struct flame_tree){.first = FLAME_NONE};
}
