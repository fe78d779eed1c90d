/* SPDX-License-Identifier: BSD-3-Clause */
/* Where places lie in the machine: which of them are near each other, for what moves between. */
#ifndef RT_TOPOLOGY_H
#define RT_TOPOLOGY_H
#include "places.h"

/* Two places with the same number share it; all but that of the node mean nothing else. */
struct rt_site {
	uint32_t socket, cache; /* cache: the last one that several cores share */
	int32_t node;           /* the kernel's number of its memory; -1: unknown */
};

/*
 * One site for each place, by its first processor, in heap memory. `processors` are those of all
 * places; sysfs is the folder that has cpu/. NULL: no memory, or there are no places.
 */
struct rt_site *rt_topology_read(
    const struct rt_places *places, const struct rt_processors *processors, const char *sysfs);

#endif
