/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies how many samples the ends of call paths have, out of the trees of a process that goes on
 * meanwhile (path-tree.h). Nodes only come, and numbers only grow, so that nothing has to be read
 * together. A block that moves between the lists of threads may be found twice or not at all: the
 * former is left out here, the latter is a number that has not grown yet.
 */
#include "live-reader.h"

#include "measured-copy.h"
#include "path-tree.h"
#include "profile-table.h"

#include "shared/array.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 1 << 16 };
static const size_t most_bytes = (size_t)1 << 26; /* of nodes */

struct sampling {
	const struct live_source *source;
	struct live_samples *samples;
	struct pomp_path_node *nodes; /* room for a whole tree */
	size_t bytes, room;
	enum live_result problem;
};

static bool fail(struct sampling *sampling, enum live_result problem)
{
	if (sampling->problem == LIVE_READ)
		sampling->problem = problem;
	return false;
}

static bool read_parts(struct sampling *sampling, const struct live_part *parts, size_t count)
{
	return sampling->source->read(sampling->source->context, parts, count) ||
	       fail(sampling, LIVE_UNREADABLE);
}

static uint64_t place_of(const volatile void *there, size_t offset)
{
	return (uint64_t)(uintptr_t)there + offset;
}

static bool add(struct sampling *sampling, uint32_t tree, uint32_t node)
{
	const struct pomp_path_node *leaf = &sampling->nodes[node];
	const struct live_sample sample = {
	    .tree = tree,
	    .node = node,
	    .address = sampling->nodes[leaf->parent].word,
	    .count = load_relaxed(&leaf->samples),
	    .waits = pomp_path_waits(leaf->word),
	};

	return ARRAY_PUSH(
		   sampling->samples->items, sampling->samples->count, sampling->room, sample) ||
	       fail(sampling, LIVE_NO_MEMORY);
}

/* A tree that would be too much is left out. */
static bool take_tree(struct sampling *sampling, const struct pomp_path_tree *there)
{
	uint32_t number = 0, count = 0;
	const struct live_part head[] = {
	    {place_of(there, offsetof(struct pomp_path_tree, number)), &number, sizeof(number)},
	    {place_of(there, offsetof(struct pomp_path_tree, count)), &count, sizeof(count)},
	};

	if (!read_parts(sampling, head, 2))
		return false;
	size_t bytes = count * sizeof(struct pomp_path_node);
	if (count > POMP_PATH_NODES || bytes > most_bytes - sampling->bytes) {
		sampling->samples->is_part = true;
		return true;
	}
	if (number == 0 || count == 0)
		return true;
	sampling->bytes += bytes;
	const struct live_part nodes = {
	    place_of(there, offsetof(struct pomp_path_tree, node)), sampling->nodes, bytes};
	if (!read_parts(sampling, &nodes, 1))
		return false;
	for (uint32_t i = 1; i < count; i++) {
		const struct pomp_path_node *node = &sampling->nodes[i];
		if (node->word & POMP_PATH_LEAF && node->parent != 0 && node->parent < count &&
		    load_relaxed(&node->samples) != 0 && !add(sampling, number, i))
			return false;
	}
	return true;
}

/* The trees of a list of threads. */
static bool take_list(struct sampling *sampling, const struct pomp_thread *there)
{
	for (size_t i = 0; there != NULL && i < MOST_BLOCKS; i++) {
		struct pomp_path_tree *tree = NULL;
		const struct pomp_thread *next = NULL;
		const struct live_part parts[] = {
		    {place_of(there, offsetof(struct pomp_thread, paths)), &tree, sizeof(tree)},
		    {place_of(there, offsetof(struct pomp_thread, next)), &next, sizeof(next)},
		};
		if (!read_parts(sampling, parts, 2) || (tree != NULL && !take_tree(sampling, tree)))
			return false;
		there = next;
	}
	sampling->samples->is_part |= there != NULL;
	return true;
}

static int by_place(const void *left, const void *right)
{
	const struct live_sample *one = left, *other = right;

	if (one->tree != other->tree)
		return one->tree < other->tree ? -1 : 1;
	if (one->node != other->node)
		return one->node < other->node ? -1 : 1;
	return (one->count < other->count) - (one->count > other->count);
}

/* Of a place that was found twice, the greater number stays. */
static void sort(struct live_samples *samples)
{
	size_t kept = 0;

	if (samples->count > 1)
		qsort(samples->items, samples->count, sizeof(*samples->items), by_place);
	for (size_t i = 0; i < samples->count; i++) {
		const struct live_sample *last = kept > 0 ? &samples->items[kept - 1] : NULL;
		if (last != NULL && last->tree == samples->items[i].tree &&
		    last->node == samples->items[i].node)
			continue;
		samples->items[kept++] = samples->items[i];
	}
	samples->count = kept;
}

static enum live_result read_trees(struct sampling *sampling, const void *const *roots)
{
	struct pomp_threads threads;
	const struct live_part part = {
	    place_of(roots[PROFILE_ROOT_pomp_threads], 0), &threads, sizeof(threads)};

	sampling->nodes = malloc(POMP_PATH_NODES * sizeof(*sampling->nodes));
	if (sampling->nodes == NULL)
		return LIVE_NO_MEMORY;
	if (read_parts(sampling, &part, 1) && take_list(sampling, threads.alive) &&
	    take_list(sampling, threads.spare))
		sort(sampling->samples);
	free(sampling->nodes);
	return sampling->problem;
}

enum live_result pomp_live_read_samples(
    const struct live_source *source, struct live_samples *samples)
{
	struct sampling sampling = {.source = source, .samples = samples};
	struct measured_copy *copy = malloc(sizeof(*copy));
	const void *roots[PROFILE_ROOTS];

	*samples = (struct live_samples){.count = 0};
	if (copy == NULL)
		return LIVE_NO_MEMORY;
	sampling.problem = measured_copy_begin(copy, source, roots);
	samples->rate = copy->process.settings.sampling;
	free(copy);
	if (sampling.problem == LIVE_READ && samples->rate > 0)
		sampling.problem = read_trees(&sampling, roots);
	if (sampling.problem != LIVE_READ)
		pomp_live_release_samples(samples);
	return sampling.problem;
}

void pomp_live_release_samples(struct live_samples *samples)
{
	free(samples->items);
	*samples = (struct live_samples){.count = 0};
}
