// SPDX-License-Identifier: BSD-3-Clause
// Work, memory and waits in functions that the compiler puts into others: `inlined STEPS [work |
// memory | sleep | killed]`. With the last one it kills itself at the end.
#include "inlined.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { CELLS = 1 << 16, PAGE_CELLS = 512 };

static volatile double sink;

__attribute__((always_inline)) static inline void relax(int times)
{
	sink = smooth(sink, times); // relax line
}

// Both threads get memory and give it back; sometimes they use it.
__attribute__((noinline)) static void churn()
{
	for (int time = 0; time < 30; time++) {
		double *memory = obtain<double>(CELLS); // allocate line
		grid cells(memory);

		for (size_t i = 0; i < CELLS && time % 10 == 0; i += PAGE_CELLS)
			cells.at(i) = 1; // touch line
		sink = time % 10 == 0 ? cells.at(CELLS - 1) : time;
		drop(&memory); // free line
	}
	sink = 0; // else the last call is a jump, and this function is not on the path
}

__attribute__((noinline)) static void step()
{
	relax(80000);
	sink = sink + 1;
}

__attribute__((noinline)) static void pause_often(int times)
{
	for (int i = 0; i < times; i++)
		rest(1000); // sleep line
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 1;
	const char *what = argc > 2 ? argv[2] : "work";

	for (int i = 0; i < steps && strcmp(what, "memory") != 0; i++)
		step();
#pragma omp parallel num_threads(2)
	for (int i = 0; i < steps && strcmp(what, "memory") == 0; i++)
		churn();
#pragma omp parallel num_threads(2)
	relax(steps * 10000);
	if (strcmp(what, "sleep") == 0)
		pause_often(steps);
	if (strcmp(what, "killed") == 0)
		raise(SIGKILL);
	printf("%g\n", sink);
	return 0;
}
