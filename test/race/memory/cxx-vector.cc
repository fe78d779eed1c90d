// SPDX-License-Identifier: BSD-3-Clause
// cxx: a task refers to an element of a vector that has since moved its elements.
#include <sched.h>
#include <vector>

static int result;

/* Tasks wait for it, so that the function that generates them comes first. */
static int gate;

static void open_gate()
{
#pragma omp atomic write
	gate = 1;
}

static void wait_for_gate()
{
	int is_open;

	do {
		sched_yield();
#pragma omp atomic read
		is_open = gate;
	} while (!is_open);
}

int main()
{
	std::vector<int> values(4, 1);

#pragma omp parallel num_threads(2)
#pragma omp single
	{
		int *element = &values[2];

#ifdef FIXED
		values.resize(1000);
		element = &values[2];
#endif
#pragma omp task firstprivate(element)
		{
			wait_for_gate();
			result = *element; // memory: read
		}
#ifndef FIXED
		values.resize(1000); // memory: freed
#endif
		open_gate();
	}
	return 0;
}
