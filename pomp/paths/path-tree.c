/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds and adds nodes; none is ever removed. The nodes of a parent are a list, whose first one was
 * wanted last: a hot place has few callers, and a few places have most of the samples.
 */
#include "path-tree.h"

#include <string.h>
#include <sys/mman.h>

static _Atomic uint32_t trees; /* how many were made */

struct pomp_path_tree *pomp_path_tree_new(void)
{
	struct pomp_path_tree *tree = mmap(NULL, sizeof(*tree), PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return tree != MAP_FAILED ? tree : NULL;
}

void pomp_path_tree_begin(struct pomp_path_tree *tree)
{
	if (tree->number != 0)
		return;
	tree->number = fetch_add_relaxed(&trees, 1) + 1;
	tree->logged = 1;
	store_relaxed(&tree->count, 1);
}

void pomp_path_tree_clear(struct pomp_path_tree *tree)
{
	uint32_t number = tree->number;

	/* Fresh pages are zero, and cost nothing while they are not used. */
	if (number == 0)
		return;
	madvise(tree, sizeof(*tree), MADV_DONTNEED);
	tree->number = number;
	tree->logged = 1;
	store_relaxed(&tree->count, 1);
}

/* Makes the node the first one of its parent; `from` is the link that leads to it. */
static void move_to_front(struct pomp_path_tree *tree, uint32_t *from, uint32_t index)
{
	struct pomp_path_node *node = &tree->node[index];
	uint32_t *first = &tree->node[node->parent].child;

	*from = node->sibling;
	node->sibling = *first;
	*first = index;
}

/* Returns the node's index; 0: there is no room. */
static uint32_t find_or_add(struct pomp_path_tree *tree, uint32_t parent, uint64_t word)
{
	uint32_t count = load_relaxed(&tree->count);
	uint32_t *from = &tree->node[parent].child;

	for (; *from != 0; from = &tree->node[*from].sibling) {
		uint32_t index = *from;
		if (tree->node[index].word == word) {
			move_to_front(tree, from, index);
			return index;
		}
	}
	if (count == POMP_PATH_NODES)
		return 0;
	tree->node[count].word = word;
	tree->node[count].parent = parent;
	move_to_front(tree, &(uint32_t){0}, count);
	store_release(&tree->count, count + 1);
	return count;
}

uint32_t pomp_path_tree_add(struct pomp_path_tree *tree, const uint64_t *word, size_t count)
{
	uint32_t node = 0;

	while (count > 0) {
		node = find_or_add(tree, node, word[--count]);
		if (node == 0)
			return 0;
	}
	return node;
}

void pomp_path_tree_count(struct pomp_path_tree *tree, uint32_t node, uint64_t leaf,
    uint32_t samples, const uint64_t *counts, unsigned counters)
{
	uint32_t end = node != 0 ? find_or_add(tree, node, leaf) : 0;

	add_own(end != 0 ? &tree->node[end].samples : &tree->lost, samples);
	for (unsigned i = 0; end != 0 && i < counters; i++)
		add_own(&tree->counted[end][i], counts[i]);
}
