/* SPDX-License-Identifier: BSD-3-Clause */
/* Where places are in the machine, which shows the cost of moving data between them. */
#ifndef RT_TOPOLOGY_H
#define RT_TOPOLOGY_H
#include "places.h"

/*
 * Two places with the same number share the unit. Except for the node, the numbers have no other
 * meaning.
 */
struct rt_site {
	uint32_t socket, cache; /* cache: the last one that several cores share */
	int32_t node;           /* the kernel's number of its memory node; -1: unknown */
};

/*
 * Returns a site for each place, by its first processor, in memory from malloc(). `processors` are
 * those of all places; sysfs is the folder that contains cpu/. NULL: no memory, or there are no
 * places.
 */
struct rt_site *rt_topology_read(
    const struct rt_places *places, const struct rt_processors *processors, const char *sysfs);

#endif
