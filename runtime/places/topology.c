/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sites of places. sysfs is read once for each socket, cache and node, not for each processor,
 * because its files list all processors that share the unit.
 */
#include "topology.h"

#include <stdlib.h>

/*
 * Numbers the groups of processors that share something, in `numbers`, by processor. Nodes get the
 * kernel's numbers, other groups get consecutive ones.
 */
static void number_groups(uint32_t *numbers, enum rt_sharing sharing,
    const struct rt_processors *processors, struct rt_processors *rest, struct rt_processors *group,
    const char *sysfs)
{
	size_t capacity = rt_processors_capacity(processors);
	uint32_t number = 0;

	for (size_t i = rt_processors_next(processors, 0); i < capacity;
	     i = rt_processors_next(processors, i + 1))
		rt_processors_add(rest, i);
	for (size_t first = rt_processors_next(rest, 0); first < capacity;
	     first = rt_processors_next(rest, first), number++) {
		if (sharing == RT_SHARE_NODE)
			number = (uint32_t)rt_processors_node(sysfs, first);
		rt_processors_sharing(sysfs, sharing, rest, first, group);
		rt_processors_add(group, first);
		for (size_t i = rt_processors_next(group, 0); i < capacity;
		     i = rt_processors_next(group, i + 1)) {
			numbers[i] = number;
			rt_processors_remove(rest, i);
		}
	}
}

struct rt_site *rt_topology_read(
    const struct rt_places *places, const struct rt_processors *processors, const char *sysfs)
{
	size_t capacity = rt_processors_capacity(processors);
	struct rt_processors rest = {NULL, 0}, group = {NULL, 0};
	struct rt_site *sites = NULL;
	uint32_t *numbers = calloc(3 * capacity, sizeof(*numbers));

	if (places->count > 0 && numbers != NULL && rt_processors_init(&rest, capacity) &&
	    rt_processors_init(&group, capacity))
		sites = calloc(places->count, sizeof(*sites));
	if (sites != NULL) {
		number_groups(numbers, RT_SHARE_SOCKET, processors, &rest, &group, sysfs);
		number_groups(numbers + capacity, RT_SHARE_CACHE, processors, &rest, &group, sysfs);
		number_groups(
		    numbers + 2 * capacity, RT_SHARE_NODE, processors, &rest, &group, sysfs);
	}
	for (uint32_t i = 0; sites != NULL && i < places->count; i++) {
		struct rt_processors place = rt_places_get(places, i);
		size_t first = rt_processors_next(&place, 0);
		if (first < capacity) {
			sites[i].socket = numbers[first];
			sites[i].cache = numbers[capacity + first];
			sites[i].node = (int32_t)numbers[2 * capacity + first];
		}
	}
	rt_processors_finish(&rest);
	rt_processors_finish(&group);
	free(numbers);
	return sites;
}
