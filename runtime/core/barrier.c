/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The counters of a barrier. Nodes are stored level by level: members arrive at the first ceil(size
 * / FAN) nodes; their parents follow, and the last node is the root.
 *
 * Who sees what:
 *   missing     acq_rel: the last child of a node sees all that its siblings wrote before they
 *               arrived, and passes it up
 *   the reset   relaxed, by the last child: no member touches the node again before it has seen
 *               the new generation
 *   generation  sequential store, pairs with the waiters' acquire; sequential because the opener
 *               then looks for sleepers
 */
#include "barrier.h"

#include <stdlib.h>

static uint32_t groups(uint32_t children)
{
	return (children + RT_BARRIER_FAN - 1) / RT_BARRIER_FAN;
}

/* Number of children of node `index`, on a level above `children` nodes or members. */
static uint32_t fan_in(uint32_t children, uint32_t index)
{
	uint32_t rest = children - index * RT_BARRIER_FAN;
	return rest < RT_BARRIER_FAN ? rest : RT_BARRIER_FAN;
}

/* Is no member counted as arrived? The last one to arrive has reset all counters. */
static bool is_whole(const struct rt_barrier *barrier)
{
	const struct rt_barrier_node *level = barrier->nodes;
	uint32_t children = barrier->size;

	while (children > 0) {
		for (uint32_t i = 0; i < groups(children); i++)
			if (load_relaxed(&level[i].missing) != fan_in(children, i))
				return false;
		level += groups(children);
		children = groups(children) > 1 ? groups(children) : 0;
	}
	return true;
}

bool rt_barrier_resize(struct rt_barrier *barrier, uint32_t size)
{
	CHECK(size > 0, "the barrier has members");
	CHECK(size == barrier->size || is_whole(barrier), "no member is inside");

	uint32_t needed = 0, first = 0;

	for (uint32_t children = size; children > 1 || needed == 0; children = groups(children))
		needed += groups(children);
	if (needed == 1 && barrier->nodes == NULL) {
		barrier->nodes = &barrier->root;
		barrier->capacity = 1;
	} else if (needed > barrier->capacity) {
		struct rt_barrier_node *nodes =
		    aligned_alloc(PROCESSOR_APART, needed * sizeof(*nodes));
		if (nodes == NULL)
			return false;
		if (barrier->nodes != &barrier->root)
			free(barrier->nodes);
		barrier->nodes = nodes;
		barrier->capacity = needed;
	}
	for (uint32_t children = size; first < needed; children = groups(children)) {
		for (uint32_t i = 0; i < groups(children); i++)
			store_relaxed(&barrier->nodes[first + i].missing, fan_in(children, i));
		first += groups(children);
	}
	barrier->size = size;
	return true;
}

void rt_barrier_finish(struct rt_barrier *barrier)
{
	CHECK(is_whole(barrier), "no member is inside");
	if (barrier->nodes != &barrier->root)
		free(barrier->nodes);
	barrier->nodes = NULL;
}

bool rt_barrier_arrive(struct rt_barrier *barrier, uint32_t number)
{
	CHECK(number < barrier->size, "the barrier has the member");

	struct rt_barrier_node *level = barrier->nodes;
	uint32_t children = barrier->size;

	for (;;) {
		uint32_t index = number / RT_BARRIER_FAN;

		if (sub_acq_rel(&level[index].missing, 1) != 1)
			return false;
		store_relaxed(&level[index].missing, fan_in(children, index));
		level += groups(children);
		children = groups(children);
		if (children == 1)
			return true;
		number = index;
	}
}
