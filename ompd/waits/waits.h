/* SPDX-License-Identifier: BSD-3-Clause */
/* Which thread waits for which, composed from the target's records. */
#ifndef OMPD_WAITS_H
#define OMPD_WAITS_H

#include "ompd-extensions.h"
#include "stacks.h"

struct wait {
	ompdx_wait_t reported;
	const struct begun_task *begun; /* the waiting task */
	uint64_t until;                 /* see the runtime's note */
	ompd_addr_t descendants;        /* executes_tasks: only descendants of this task; 0: any */
	ompd_size_t shared;             /* index of the wait with the same needs, see below */
	bool is_idle;                   /* a member that has arrived at its region's end */
};

struct need {
	ompd_size_t wait; /* index of the (first) wait that has the need */
	ompdx_need_t reported;
};

/* A team member's current chunk of a work-sharing construct. */
struct chunk {
	ompd_addr_t share, implicit; /* the construct's record, the member's implicit task */
	uint64_t low, high;
};

struct wait_graph {
	struct reader *reader; /* a bulk reader */
	struct stacks stacks;
	struct memory_list waits; /* of struct wait, by task */
	struct memory_list needs; /* of struct need, ordered by wait when complete */
	struct memory_list
	    chunks; /* of struct chunk, by number: for the team that was asked for last */
	ompd_addr_t chunks_team;
};

ompd_size_t waits_count(const struct wait_graph *graph);
struct wait *waits_at(const struct wait_graph *graph, ompd_size_t index);

/* Returns the wait of a task, the innermost if it has several; NULL: it does not wait. */
struct wait *waits_find(const struct wait_graph *graph, ompd_addr_t task);

/*
 * Returns the wait of the same task that a signal handler has interrupted; the handler itself waits
 * in `wait`. NULL: none.
 */
struct wait *waits_interrupted(const struct wait_graph *graph, const struct wait *wait);

void waits_need(
    struct wait_graph *graph, const struct wait *wait, ompdx_need_kind_t kind, uint64_t id);
void waits_need_task(
    struct wait_graph *graph, ompd_size_t wait, ompd_addr_t task, ompdx_task_state_t state);

/* Finds the needs of one wait that are threads, members or iterations; also whether it is over. */
void needs_of_wait(struct wait_graph *graph, struct wait *wait);

/* Finds the needs of all waits that are tasks. */
void needs_of_tasks(struct wait_graph *graph);

/* Marks the waits and blocked calls that cannot end. observed may be NULL; flags: OMPDX_ constants.
 */
void deadlock_mark(struct wait_graph *graph, uint32_t flags, const ompdx_observed_t *observed);

#endif
