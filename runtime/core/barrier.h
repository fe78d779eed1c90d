/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrival of all members of a team: a tree of padded counters with a fan-in of RT_BARRIER_FAN (one
 * counter for small teams) and one word that counts completed barriers. Waiting is the caller's
 * part, because a waiting member executes tasks.
 */
#ifndef RT_BARRIER_H
#define RT_BARRIER_H
#include "atomics.h"
#include "processor-code.h"
#include "shared/precondition.h"

enum { RT_BARRIER_FAN = 8 };

struct rt_barrier_node {
	RT_PADDED _Atomic uint32_t missing; /* children that have not arrived */
};

_Static_assert(sizeof(struct rt_barrier_node) == PROCESSOR_APART, "no two counters share a line");

struct rt_barrier {
	RT_PADDED _Atomic uint32_t generation; /* completed arrivals of all, modulo 2^32 */
	uint32_t size;                         /* members; constant while any is inside */
	uint32_t capacity;                     /* nodes allocated */
	struct rt_barrier_node *nodes;
	struct rt_barrier_node root; /* the only node of a small team */
};

/*
 * For `size` members. If that is the size that it has already, its counters may be in an
 * intermediate state, after a cancelled region. False: no memory, nothing changed.
 */
bool rt_barrier_resize(struct rt_barrier *barrier, uint32_t size);
/* Frees the nodes. */
void rt_barrier_finish(struct rt_barrier *barrier);

/*
 * Records that member `number` has arrived. True for the one that arrives last, which then calls
 * rt_barrier_open(); it sees all that the others wrote before they arrived.
 */
bool rt_barrier_arrive(struct rt_barrier *barrier, uint32_t number);

/* Release, pairs with the acquire load of `generation` by those that wait for it. */
static inline void rt_barrier_open(struct rt_barrier *barrier)
{
	CHECK(load_relaxed(&barrier->nodes[0].missing) ==
		  (barrier->size < RT_BARRIER_FAN ? barrier->size : RT_BARRIER_FAN),
	    "the member that arrives last opens the barrier");
	store_sequential(&barrier->generation, load_relaxed(&barrier->generation) + 1);
}

#endif
