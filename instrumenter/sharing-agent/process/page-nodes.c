/* SPDX-License-Identifier: BSD-3-Clause */
/* By system calls, because the C library has no functions for most of these. */
#include "page-nodes.h"

#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, MOST_NODES = 1024, LONG_BITS = 8 * sizeof(long), ALLOWED = 4 };

unsigned page_nodes_count(void)
{
	unsigned long nodes[MOST_NODES / LONG_BITS] = {0};
	unsigned count = 0;

	if (syscall(SYS_get_mempolicy, NULL, nodes, (long)MOST_NODES, NULL, (long)ALLOWED) != 0)
		return 1;
	for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++)
		count += (unsigned)__builtin_popcountl(nodes[i]);
	return count > 0 ? count : 1;
}

int page_nodes_here(void)
{
	unsigned processor, node;

	return syscall(SYS_getcpu, &processor, &node, NULL) == 0 ? (int)node : -1;
}

void page_nodes_of(uintptr_t address, size_t count, int *nodes)
{
	void *pages[PAGE_NODES_AT_ONCE];

	for (size_t i = 0; i < count; i++) {
		pages[i] = (void *)((address & -(uintptr_t)PAGE) + i * PAGE);
		nodes[i] = -1;
	}
	/* Without nodes to move to, the call says where the pages are. */
	if (syscall(SYS_move_pages, 0L, (long)count, pages, NULL, nodes, 0L) != 0)
		for (size_t i = 0; i < count; i++)
			nodes[i] = -1;
}
