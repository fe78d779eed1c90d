/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stacks of samples, as a tree: a sample's call path, with the regions that its thread is in as
 * frames between the path's parts, "main > solve > parallel @solver.c:120 > solve > kernel". A
 * region comes after the call of its directive and before the outermost frame in its lines. If no
 * frame is in its lines, it comes directly after the region around it.
 *
 * Archives of other tools may have regions in their call paths: a region that the path names is not
 * repeated.
 */
#ifndef SAMPLE_STACKS_H
#define SAMPLE_STACKS_H

#include "archive.h"
#include "region-stacks.h"

/* Of longer paths the outermost frames are replaced by one frame "(more callers)". */
enum { SAMPLE_PATH_MAX = REGION_FRAMES_MAX };

enum sample_frame_kind {
	SAMPLE_FRAME_REGION, /* a construct, or another region of the program */
	SAMPLE_FRAME_CODE,   /* a place in a function */
	SAMPLE_FRAME_DEEPER, /* stands for inner regions */
	SAMPLE_FRAME_CALLERS /* stands for outer frames */
};

struct sample_frame {
	enum sample_frame_kind kind;
	uint32_t region;  /* or the function's; ARCHIVE_NO_INDEX: unknown */
	uint32_t line;    /* 0: unknown */
	const char *file; /* "": unknown */
};

struct sample_node {
	uint32_t parent; /* 0: this is an outermost frame */
	uint32_t frame;
	uint32_t depth; /* number of frames from the outermost to this one */
};

struct sample_stacks {
	const struct archive *archive;
	struct region_stacks regions;
	struct sample_frame *frames; /* each is different from all others */
	size_t frame_count, frame_room;
	struct map frame_of;       /* by hash */
	struct sample_node *nodes; /* 0: the root */
	size_t node_count, node_room;
	struct pair_map node_of;  /* (parent, frame) to index */
	struct pair_map stack_of; /* (node of the regions, context) to index */
	bool without_lines;       /* frames are whole functions */
	unsigned char *waits;     /* by region: its analysis_region_wait() */
	/* Of the locations: how deep the region is whose lock the thread waits for; 0: none. */
	uint32_t *lock_wait;
};

void sample_stacks_init(
    struct sample_stacks *stacks, const struct archive *archive, bool without_lines);
void sample_stacks_free(struct sample_stacks *stacks);

/* A location enters a region, leaves its innermost one, or has another event. */
void sample_stacks_open(
    struct sample_stacks *stacks, uint32_t location, uint32_t region, uint64_t time);
void sample_stacks_close(struct sample_stacks *stacks, uint32_t location);
void sample_stacks_event(struct sample_stacks *stacks, const struct archive_event *event);

/* Returns the node of a sample that the location takes now. */
uint32_t sample_stacks_find(struct sample_stacks *stacks, uint32_t location, uint32_t context);

/* The same for a sample in the regions of that node. */
uint32_t sample_stacks_node(struct sample_stacks *stacks, uint32_t around, uint32_t context);

/* Whether the location waits now in its innermost region: for a barrier, tasks, or a lock. */
bool sample_stacks_wait(const struct sample_stacks *stacks, uint32_t location);

/* "parallel @solver.c:120" or "kernel"; for an unknown function its file, or "?". */
const char *sample_frame_name(const struct sample_stacks *stacks, const struct sample_frame *frame);

/* The name of a frame inside of all others, for formats that have no other place for a wait. */
#define SAMPLE_WAIT_NAME "(waiting)"

#endif
