/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: the loop is in a file that is included, which here is the file itself.
 * One pair of its iterations conflicts. The fixed one has none.
 */
#ifndef IS_INCLUDED
#define IS_INCLUDED
#include "iterations-include.c"

int main(void)
{
	int wrong = 0;

	fill();
	for (int i = 0; i < N; i++)
		wrong += included[i] != 1;
	return wrong != 0;
}
#else
enum { N = 880, PLACE = 430 };

static int included[N + 1];

static void fill(void)
{
#pragma omp parallel for
	for (int i = 0; i < N; i++) {
		included[i] = 1; /* race: write included */
#ifndef FIXED
		if (i == PLACE)
			included[i + 1] = 1; /* race: write included */
#endif
	}
}
#endif
