/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the tree in two steps: sorts the regions by file and line and finds their parents with a
 * stack; then sorts siblings by the best place in each subtree.
 */
#include "nesting.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define NO_PARENT SIZE_MAX

struct node {
	const struct summary_region *region;
	size_t index, parent;
	size_t best; /* the best place in its subtree */
	int depth;
};

/*
 * A parent comes before what it contains; of two regions with the same lines, the one with more
 * time is the parent.
 */
static int compare_places(const void *first, const void *second)
{
	const struct node *one = first, *other = second;
	const struct summary_region *a = one->region, *b = other->region;
	int files = strcmp(a->file ? a->file : "", b->file ? b->file : "");

	if (files != 0)
		return files;
	if (a->begin_line != b->begin_line)
		return a->begin_line < b->begin_line ? -1 : 1;
	if (a->end_line != b->end_line)
		return a->end_line > b->end_line ? -1 : 1;
	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return (one->index > other->index) - (one->index < other->index);
}

static bool contains(const struct summary_region *outer, const struct summary_region *inner)
{
	return outer->begin_line > 0 && outer->end_line > outer->begin_line &&
	       inner->begin_line >= outer->begin_line && inner->end_line <= outer->end_line &&
	       inner->end_line >= inner->begin_line && outer->file && inner->file &&
	       strcmp(outer->file, inner->file) == 0;
}

/* Expects nodes sorted by their places; `parent` is an index among them. */
static void find_parents(struct node *nodes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t parent = i > 0 ? i - 1 : NO_PARENT;

		while (parent != NO_PARENT && !contains(nodes[parent].region, nodes[i].region))
			parent = nodes[parent].parent;
		nodes[i].parent = parent;
		nodes[i].depth = parent == NO_PARENT ? 0 : nodes[parent].depth + 1;
	}
	for (size_t i = count; i-- > 0;) {
		struct node *parent = nodes[i].parent == NO_PARENT ? NULL : &nodes[nodes[i].parent];

		if (parent && nodes[i].best < parent->best)
			parent->best = nodes[i].best;
	}
}

/* Sorts siblings together, the best first. */
static int compare_siblings(const void *first, const void *second, void *context)
{
	const struct node *nodes = context;
	const struct node *one = &nodes[*(const size_t *)first];
	const struct node *other = &nodes[*(const size_t *)second];

	/* NO_PARENT is the greatest. */
	if (one->parent != other->parent)
		return one->parent < other->parent ? -1 : 1;
	return (one->best > other->best) - (one->best < other->best);
}

/* Puts the children of each parent after it. `siblings` is sorted; the roots come last. */
static void put_in_order(
    const struct node *nodes, const size_t *siblings, size_t count, struct nested_region *order)
{
	size_t *first = memory_new(count + 1, sizeof(first[0]));
	size_t *stack = memory_new(count, sizeof(stack[0])), depth = 0, put = 0, next = 0;

	/* first[i]: index of the first child of node i; the roots follow all children. */
	for (size_t i = 0; i <= count; i++) {
		first[i] = next;
		while (next < count && nodes[siblings[next]].parent == i)
			next++;
	}
	for (size_t i = count; i-- > first[count];)
		stack[depth++] = siblings[i];
	while (depth > 0) {
		size_t node = stack[--depth];

		order[put++] = (struct nested_region){nodes[node].index, nodes[node].depth};
		for (size_t i = first[node + 1]; i-- > first[node];)
			stack[depth++] = siblings[i];
	}
	free(first);
	free(stack);
}

struct nested_region *nesting_order(const struct summary *summary)
{
	size_t count = summary->region_count;
	struct nested_region *order = memory_new(count, sizeof(order[0]));
	struct node *nodes = memory_new(count, sizeof(nodes[0]));
	size_t *ranked = memory_new(count, sizeof(ranked[0]));
	size_t *siblings = memory_new(count, sizeof(siblings[0]));

	summary_order_regions(summary, ranked);
	for (size_t i = 0; i < count; i++)
		nodes[ranked[i]] = (struct node){
		    .region = &summary->regions[ranked[i]], .index = ranked[i], .best = i};
	qsort(nodes, count, sizeof(nodes[0]), compare_places);
	find_parents(nodes, count);
	for (size_t i = 0; i < count; i++)
		siblings[i] = i;
	qsort_r(siblings, count, sizeof(siblings[0]), compare_siblings, nodes);
	put_in_order(nodes, siblings, count, order);
	free(nodes);
	free(ranked);
	free(siblings);
	return order;
}

uint64_t nesting_own_time(const struct summary_region *region)
{
	return summary_add(region->self, summary_add(region->barrier_wait, region->enter_wait));
}
