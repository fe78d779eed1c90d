/* SPDX-License-Identifier: BSD-3-Clause */
/* Subtrees of a random tree are counted by recursion: most are tiny, some are huge. */
#include "chance.h"

#include <stdio.h>

enum { SUBTREES = 1000, DEEPEST = 5000 };

static long count(uint64_t node, int depth)
{
	uint64_t state = node;
	long nodes = 1;
	int children = chance_next(&state) % 1000 < 494 ? 2 : 0;

	for (int child = 0; child < children && depth < DEEPEST; child++) {
		uint64_t mixed = node * 2 + (uint64_t)child + 1;
		chance_next(&mixed);
		nodes += count(mixed ^ mixed >> 29, depth + 1);
	}
	return nodes;
}

int main(void)
{
	long total = 0;

#pragma omp parallel for reduction(+ : total) // @loop
	for (int root = 0; root < SUBTREES; root++)
		for (int tree = 0; tree < 600; tree++)
			total += count((uint64_t)(root * 600 + tree) * 2654435761u, 0);
	printf("%ld\n", total);
	return 0;
}
