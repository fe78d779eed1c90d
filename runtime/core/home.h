/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory with a home: on the NUMA node of those that use it. That a line is in a cache nearby does
 * not suffice: who writes it has to ask the part of the machine that its memory belongs to who else
 * has it. Placement is a wish; where the kernel does not fulfil it (one node, no mbind() in a
 * container) the memory is where it would have been.
 */
#ifndef RT_HOME_H
#define RT_HOME_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of nodes; see struct rt_site. */
#define RT_NODE_ANY (-1)

/* Has this machine more than one node? Asked of sysfs once. */
bool rt_home_matters(void);

/*
 * Zeroed memory that shares no line with other memory, and no page if `own_pages`: on `node` if it
 * is not RT_NODE_ANY, which needs own_pages. NULL: none left. Freed with the same two values.
 */
void *rt_home_new(size_t bytes, bool own_pages, int32_t node);
void rt_home_free(void *memory, size_t bytes, bool own_pages);

/* Moves pages of their own to the node that the calling thread runs on. */
void rt_home_bring(void *memory, size_t bytes);

#endif
