/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * On machines with several memory nodes: on which of them pages and threads are. The system says
 * it; where it does not (one node, a container that forbids the call), nothing is known.
 */
#ifndef SHARING_PAGE_NODES_H
#define SHARING_PAGE_NODES_H

#include <stddef.h>
#include <stdint.h>

enum { PAGE_NODES_AT_ONCE = 256 };

/* How many nodes the process may use; 1: there is one, or it is not known. */
unsigned page_nodes_count(void);

/* The node of the processor on which the thread runs, or -1. */
int page_nodes_here(void);

/* The nodes of so many pages, PAGE_NODES_AT_ONCE at most, from the address on; below 0: none. */
void page_nodes_of(uintptr_t address, size_t count, int *nodes);

#endif
