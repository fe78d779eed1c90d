/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: a task sets a lock of a function that has returned.
 */
#include <omp.h>
#include <sched.h>

static int result;

/* Tasks wait for it, so that the function that generates them comes first. */
static int gate;

static void open_gate(void)
{
#pragma omp atomic write
	gate = 1;
}

static void wait_for_gate(void)
{
	int is_open;

	do {
		sched_yield();
#pragma omp atomic read
		is_open = gate;
	} while (!is_open);
}

static void start(void)
{
#ifdef FIXED
	static
#endif
	    omp_lock_t lock; /* memory: declared */
	omp_lock_t *mine = &lock;

	omp_init_lock(mine);
#pragma omp task firstprivate(mine)
	{
		wait_for_gate();
		if (omp_test_lock(mine)) /* memory: lock */
			result = 1;
	}
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		start();
		open_gate();
	}
	return 0;
}
