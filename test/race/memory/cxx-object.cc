// SPDX-License-Identifier: BSD-3-Clause
// cxx: a task uses a member of an object whose block has ended.
#include <sched.h>

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

struct Job {
	int size = 5;

	void start()
	{
#pragma omp task
		{
			wait_for_gate();
			result = size; // memory: read
		}
	}
};

int main()
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		{
#ifdef FIXED
			static
#endif
			    Job job; // memory: declared

			job.start();
		}
		open_gate();
	}
	return 0;
}
