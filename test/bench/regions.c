/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program of small regions: regions COUNT TURNS. A region is a loop whose iterations are TURNS of
 * work() in all.
 */
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

enum { ITERATIONS = 64 };

int main(int count, char **arguments)
{
	if (count != 3) {
		fputs("usage: regions COUNT TURNS\n", stderr);
		return 2;
	}
	int regions = atoi(arguments[1]), turns = atoi(arguments[2]) / ITERATIONS;

	for (int region = 0; region < regions; region++) {
#pragma omp parallel for
		for (int i = 0; i < ITERATIONS; i++)
			work(turns);
	}
	return 0;
}
