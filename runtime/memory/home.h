/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory with a home: on the NUMA node of the threads that use it. It does not suffice that a line
 * is in a cache nearby: a thread that writes the line has to ask the node that owns its memory
 * which caches have it. Placement is a wish; where the kernel does not fulfil it (one node, no
 * mbind() in a container), the memory is where it would have been anyway.
 */
#ifndef RT_HOME_H
#define RT_HOME_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Any node; see struct rt_site. */
#define RT_NODE_ANY (-1)

/* Does this machine have more than one node? Reads sysfs once. */
bool rt_home_matters(void);

/*
 * Returns zeroed memory that shares no line with other memory, and no page if `own_pages`; on
 * `node` if that is not RT_NODE_ANY, which needs own_pages. NULL: no memory left. rt_home_free()
 * needs the same two values.
 */
void *rt_home_new(size_t bytes, bool own_pages, int32_t node);
void rt_home_free(void *memory, size_t bytes, bool own_pages);

/* Moves memory that has its own pages to the node that the calling thread runs on. */
void rt_home_bring(void *memory, size_t bytes);

#endif
