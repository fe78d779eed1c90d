/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes computed in parallel and put into one linked list under a lock. */
#include "program.h"

#include <omp.h>

enum { NODES = 80000, TURNS = 1800, LINK = 1300 };

struct node {
	struct node *next;
	int value;
};

static struct node *list;
#ifdef PRIVATE
static struct node *own_list;
#pragma omp threadprivate(own_list)
#endif

static void put(struct node **place, struct node *node)
{
	node->next = *place;
	*place = node;
	compute(LINK);
}

int main(void)
{
	struct node *nodes = malloc(NODES * sizeof(*nodes));
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel for schedule(SCHEDULE) // @loop
	for (int i = 0; i < NODES; i++) {
		compute(TURNS / FASTER);
		nodes[i].value = i;
#ifdef PRIVATE
		put(&own_list, &nodes[i]);
#else
		omp_set_lock(&lock);
		put(&list, &nodes[i]);
		omp_unset_lock(&lock);
#endif
	}
	omp_destroy_lock(&lock);
	printf("%p\n", (void *)list);
	return 0;
}
