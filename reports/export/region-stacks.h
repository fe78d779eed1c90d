/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stacks of regions that occur, as a tree: a node for each (parent, region). If there are
 * several processes and the caller wants them, each is the outermost frame of its threads. Memory
 * is bounded by the distinct stacks. Stacks of more than REGION_FRAMES_MAX frames end in a frame
 * "(deeper)": no picture could show them, and their texts would grow with the square of their
 * depth.
 */
#ifndef REGION_STACKS_H
#define REGION_STACKS_H

#include "archive.h"
#include "reader-message.h"

enum { REGION_FRAMES_MAX = 500 };

/* Stands for all regions that are nested deeper. */
#define REGION_DEEPER (ARCHIVE_NO_INDEX - 1)

/* Where something occurs first in the events of all processes, in the order of time. */
struct first_place {
	uint64_t time; /* ticks */
	uint32_t location;
	uint64_t number; /* among those of the location's process */
};

static inline bool first_place_is_before(
    const struct first_place *one, const struct first_place *other)
{
	if (one->time != other->time)
		return one->time < other->time;
	if (one->location != other->location)
		return one->location < other->location;
	return one->number < other->number;
}

struct region_node {
	uint32_t parent; /* 0: this is an outermost frame */
	uint32_t region; /* index, ARCHIVE_NO_INDEX or REGION_DEEPER; of a process: its group */
	uint32_t depth;  /* number of regions from the outermost to this one; 0: a process */
	struct first_place first;
};

struct region_stacks {
	struct region_node *nodes; /* 0: the root; then the processes, outside of all regions */
	size_t processes;          /* 0 if there is only one, or they are not wanted */
	size_t count, room;
	struct pair_map node_of; /* (parent, region) to index */
	struct region_place {
		uint32_t node;
		uint64_t deeper; /* regions entered beyond REGION_FRAMES_MAX */
	} * places;              /* of the locations */
};

void region_stacks_init(
    struct region_stacks *stacks, const struct archive *archive, bool by_process);
void region_stacks_free(struct region_stacks *stacks);

/* A location enters a region, and leaves its innermost one. */
void region_stacks_open(
    struct region_stacks *stacks, uint32_t location, uint32_t region, uint64_t time);
void region_stacks_close(struct region_stacks *stacks, uint32_t location);

/* Forgets all stacks. No location is in a region. */
void region_stacks_clear(struct region_stacks *stacks);

/*
 * Writes the stacks to a message, or adds those of a message to the stacks. Returns by node of the
 * message, of which there are *count, its node here, which the caller frees; NULL after writing.
 */
uint32_t *region_stacks_exchange(
    struct region_stacks *stacks, struct message *message, size_t *count);

/*
 * Numbers the nodes anew, in the order of their first places, as if the events of all processes had
 * been read in the order of time. Returns by node its new number, which the caller frees. Then
 * nothing more can be added.
 */
uint32_t *region_stacks_order(struct region_stacks *stacks);

#endif
