/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread generates tasks of very different length, as a walk through a tree's leaves does. */
#include "program.h"

#ifndef GRAIN
#define GRAIN 1
#endif
enum { LEAVES = 80000, TURNS = 3000, SEARCH = 150 };

static void leaf(unsigned number)
{
	compute((int)mixed(number, 2 * TURNS) / FASTER);
}

int main(void)
{
#pragma omp parallel
#pragma omp single
	for (unsigned first = 0; first < LEAVES; first += GRAIN) {
		compute(SEARCH * GRAIN);
#pragma omp task // @leaf
		for (unsigned number = first; number < first + GRAIN; number++)
			leaf(number);
	}
	return 0;
}
