// SPDX-License-Identifier: BSD-3-Clause
// cxx: a task calls a function object that refers to variables of a function that has returned.
#include <functional>
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

static std::function<int()> counter(int first)
{
	int next = first; // memory: declared
#ifdef FIXED
	return [next] { return next + 1; };
#else
	return [&next] { return next + 1; }; // memory: read
#endif
}

static void start()
{
	std::function<int()> count = counter(1);

#pragma omp task firstprivate(count)
	{
		wait_for_gate();
		result = count();
	}
}

int main()
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		start();
		open_gate();
	}
	return 0;
}
