/* SPDX-License-Identifier: BSD-3-Clause */
/* Shortest paths between all nodes of two islands: rows that cannot reach the middle node are
 * skipped. */
#include "chance.h"

#include <stdio.h>

enum { NODES = 1200, FAR = 1 << 28 };

static int far[NODES][NODES];

int main(void)
{
	uint64_t state = 33;
	long sum = 0;

	for (int i = 0; i < NODES; i++)
		for (int j = 0; j < NODES; j++) {
			int is_same = (i < NODES / 3) == (j < NODES / 3);
			far[i][j] = i == j                                     ? 0
				    : is_same && chance_next(&state) % 20 == 0 ? 1 + j % 50
									       : FAR;
		}
	for (int k = 0; k < NODES; k++) {
#pragma omp parallel for // @loop
		for (int i = 0; i < NODES; i++) {
			if (far[i][k] == FAR)
				continue;
			for (int j = 0; j < NODES; j++) {
				int over = far[i][k] + far[k][j];
				if (over < far[i][j])
					far[i][j] = over;
			}
		}
	}
	for (int i = 0; i < NODES; i++)
		for (int j = 0; j < NODES; j++)
			sum += far[i][j] < FAR ? far[i][j] : 0;
	printf("%ld\n", sum);
	return 0;
}
