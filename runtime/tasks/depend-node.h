/* SPDX-License-Identifier: BSD-3-Clause */
/* A task in the graph of dependences. depend.c alone works with it; debuggers read it. */
#ifndef RT_DEPEND_NODE_H
#define RT_DEPEND_NODE_H

#include "atomics.h"

struct rt_task;
struct rt_team;
struct rt_depend_node;

enum { RT_DEPEND_INLINE_EDGES = 5 };

/* "successor waits for the node in whose list this stands"; memory of the successor. */
struct rt_depend_edge {
	struct rt_depend_edge *next;
	struct rt_depend_node *successor;
};

struct rt_depend_chunk {
	struct rt_depend_chunk *next;
	struct rt_depend_edge edges[16];
};

struct rt_depend_node {
	_Atomic(struct rt_depend_edge *) successors; /* rt_depend_closed: the task is completed */
	_Atomic uint32_t blockers;
	_Atomic uint32_t refs;
	struct rt_task *task; /* NULL: a thread waits here, `team` is its team */
	struct rt_team *team;
	uint32_t edge_count;
	struct rt_depend_chunk *chunks;
	struct rt_depend_edge edges[RT_DEPEND_INLINE_EDGES];
};

/* No edge: the mark of a list that is closed. */
extern struct rt_depend_edge rt_depend_closed;

#endif
