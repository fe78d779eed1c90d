/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Call paths of one thread as a tree, each path once. A node's parent is its caller. A thread has
 * one tree for its samples, to which only its signal handler adds nodes, and one for where it
 * forked teams (origin.h), to which only its events add nodes. So nothing here takes a lock,
 * allocates, or calls a function that a handler may not call.
 *
 * Nodes take memory one after the other, so a thread with few paths uses a page or two.
 *
 * Who sees what: a node is complete before `count` includes it (release). Another thread that reads
 * `count` (acquire) sees all nodes below it; their numbers of samples may be slightly old
 * (relaxed).
 */
#ifndef PATH_TREE_H
#define PATH_TREE_H

#include "call-path.h"
#include "pomp-atomics.h"
#include "sample-queue.h"
#include "shared/sample-counters.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What a node's word is: an address in the code, POMP_PATH_TOO_DEEP, or with one of these bits or
 * POMP_PATH_PYTHON something else.
 */
#define POMP_PATH_LEAF   (UINT64_C(1) << 63) /* what the thread was doing: see pomp_path_leaf() */
#define POMP_PATH_JOINED (UINT64_C(1) << 61) /* it is in a tree of origins: pomp_path_joined() */
#define POMP_PATH_REGION                                                                           \
	(UINT64_C(1) << 60) /* | id: of a construct whose code became a function                   \
			     */

struct pomp_path_node {
	uint64_t word;
	uint32_t parent; /* index; 0: none */
	_Atomic uint32_t samples;
	uint32_t child,
	    sibling; /* the first of its nodes, and the next one of its parent; 0: none */
};

enum {
	/*
	 * 3 MB a thread, used as they fill, and 4 MB more for counts, where the machine has
	 * counters.
	 */
	POMP_PATH_NODES = 1 << 17,
};

struct pomp_path_tree {
	uint32_t number;           /* for the log: from 1; 0: it has not begun, and no path */
	_Atomic uint32_t count;    /* nodes in use; the first is a root without meaning */
	_Atomic uint32_t lost;     /* samples for whose path there was no room */
	_Atomic uint32_t untraced; /* samples for which there was no room in the trace */
	uint32_t logged;           /* nodes below this are in the trace */
	struct pomp_sample_queue queue;
	struct pomp_call_path path; /* the handler reads a path here */
	struct pomp_path_node node[POMP_PATH_NODES];
	/* The number of the latest segment of a ring that has the node; 0: none. */
	uint32_t segment[POMP_PATH_NODES];
	/* What counters have counted at samples, of nodes with samples. */
	_Atomic uint64_t counted[POMP_PATH_NODES][SAMPLE_COUNTERS_MOST];
};

/* Maps a tree, whose pages take memory when they are first used; NULL when memory ran out. */
struct pomp_path_tree *pomp_path_tree_new(void);

/* Begins a tree, if it has not begun; before its first path. A handler may call it. */
void pomp_path_tree_begin(struct pomp_path_tree *tree);

/* Forgets all paths; its thread takes no samples meanwhile. */
void pomp_path_tree_clear(struct pomp_path_tree *tree);

/*
 * What a thread was doing at a sample: its innermost region (0: none), whether it waited, and
 * whether it was outside of all parallel regions.
 */
static inline uint64_t pomp_path_leaf(uint64_t region, bool waits, bool is_serial)
{
	return POMP_PATH_LEAF | (uint64_t)is_serial << 33 | (uint64_t)waits << 32 |
	       (region & UINT32_MAX);
}

static inline uint64_t pomp_path_region(uint64_t leaf)
{
	return leaf & UINT32_MAX;
}

static inline bool pomp_path_waits(uint64_t leaf)
{
	return leaf >> 32 & 1;
}

static inline bool pomp_path_is_serial(uint64_t leaf)
{
	return leaf >> 33 & 1;
}

/* The sample interrupted a page fault; a part of the leaf that is added to it. */
#define POMP_PATH_FAULT (UINT64_C(1) << 34)

static inline bool pomp_path_faults(uint64_t leaf)
{
	return (leaf & POMP_PATH_FAULT) != 0;
}

/* The path continues outwards at a node of another tree. */
static inline uint64_t pomp_path_joined(uint32_t tree, uint32_t node)
{
	return POMP_PATH_JOINED | (uint64_t)tree << 24 | node;
}

/*
 * Adds a path. word[0] is the innermost one, word[count - 1] the outermost. Returns the innermost
 * word's node; 0: there was no room.
 */
uint32_t pomp_path_tree_add(struct pomp_path_tree *tree, const uint64_t *word, size_t count);

/*
 * Adds samples that were taken at that node, and what so many counters have counted there; `leaf`
 * is what the thread was doing. Node 0, or no room: they are lost.
 */
void pomp_path_tree_count(struct pomp_path_tree *tree, uint32_t node, uint64_t leaf,
    uint32_t samples, const uint64_t *counts, unsigned counters);

#endif
