/* SPDX-License-Identifier: BSD-3-Clause */
/* The call paths of all samples as one tree. */
#ifndef FLAME_TREE_H
#define FLAME_TREE_H

#include "call-chain.h"
#include "sampled-code.h"

#define FLAME_NONE SIZE_MAX

/* A function, or a construct, with the path that led to it. */
struct flame_frame {
	enum link_kind kind;
	char *name;
	const char *file;   /* of a function; "": unknown */
	uint64_t samples;   /* in it and in what it called */
	uint64_t own;       /* in it itself */
	uint64_t waits;     /* of `samples`: in OpenMP's waits */
	size_t parent;      /* an earlier frame, or FLAME_NONE */
	size_t first, next; /* its first child, and its parent's next one: most samples first */
	size_t level;       /* 0: outermost */
};

struct flame_tree {
	struct flame_frame *frames; /* those that are kept, parents first; most samples first */
	size_t count, room;
	size_t first; /* the first one without parent */
	size_t levels;
	uint64_t samples; /* of all */
	uint64_t least;   /* frames with fewer samples are left out; 1: none is */
};

/*
 * Of the samples at places that `takes` accepts (NULL: all), at most `frames_max` frames, on at
 * most `levels_max` levels; none if there are no samples.
 */
struct flame_tree flame_tree_make(const struct analysis *analysis, analysis_filter *takes,
    const void *context, size_t frames_max, size_t levels_max);
void flame_tree_finish(struct flame_tree *tree);

#endif
