/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heap: nodes of a pool are dealt to the lists of the threads in turns, so that neighbours in
 * memory belong to different threads, which walk their lists again and again.
 */
#include <omp.h>
#include <stdlib.h>

enum { NODES = 1024, WALKS = 32000, LISTS = 8 };

struct node {
	struct node *next;
	long visits;
};

int main(void)
{
	struct node *pool = aligned_alloc(64, NODES * sizeof *pool);
	struct node *lists[LISTS] = {NULL};
	long visits = 0;

	for (int i = 0; i < NODES; i++) {
#ifdef FIXED
		int list = i / (NODES / LISTS);
#else
		int list = i % LISTS;
#endif
		pool[i] = (struct node){lists[list], 0};
		lists[list] = &pool[i];
	}
#pragma omp parallel for schedule(static, 1)
	for (int list = 0; list < LISTS; list++) {
		for (int walk = 0; walk < WALKS; walk++) {
			for (struct node *node = lists[list]; node;
			     node = node->next) /* sharing: false node */
				node->visits++; /* sharing: false node */
		}
	}
	for (int i = 0; i < NODES; i++)
		visits += pool[i].visits;
	free(pool);
	return visits != (long)NODES * WALKS;
}
