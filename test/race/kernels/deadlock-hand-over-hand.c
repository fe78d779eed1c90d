/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: a list with a lock in each node, whose threads hold the next one before they leave one.
 * One of them goes backwards, against all others. The fixed one goes forwards, too.
 */
#include <omp.h>
#include <stdlib.h>

enum { NODES = 10 };

struct node {
	omp_lock_t lock;
	int visits;
	struct node *next;
};

static void walk(struct node *node)
{
	omp_set_lock(&node->lock); /* deadlock: lock node->lock */
	for (; node != NULL; node = node->next) {
		node->visits++;
		if (node->next != NULL)
			omp_set_lock(&node->next->lock); /* deadlock: lock node->next->lock */
		omp_unset_lock(&node->lock);
	}
}

#ifndef FIXED
static void last_but_one(struct node *node)
{
	while (node->next->next != NULL)
		node = node->next;
	omp_set_lock(&node->next->lock); /* deadlock: lock node->next->lock */
	omp_set_lock(&node->lock);       /* deadlock: lock node->lock */
	node->visits += node->next->visits;
	omp_unset_lock(&node->lock);
	omp_unset_lock(&node->next->lock);
}
#endif

int main(void)
{
	struct node *nodes = calloc(NODES, sizeof *nodes);

	for (int i = 0; i < NODES; i++) {
		omp_init_lock(&nodes[i].lock);
		nodes[i].next = i + 1 < NODES ? &nodes[i + 1] : NULL;
	}
#pragma omp parallel num_threads(4)
	{
#ifndef FIXED
		if (omp_get_thread_num() == 1)
			last_but_one(nodes);
		else
#endif
			walk(nodes);
	}
	for (int i = 0; i < NODES; i++)
		omp_destroy_lock(&nodes[i].lock);
	free(nodes);
	return 0;
}
