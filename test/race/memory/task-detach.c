/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: the body of a detachable task uses a frame that ends, because only the event is waited for.
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

static void receive(omp_event_handle_t *done)
{
	omp_event_handle_t event;
#ifdef FIXED
	static
#endif
	    int message[4] = {7}; /* memory: declared */

#pragma omp task detach(event) shared(message)
	{
		wait_for_gate();
		result = message[0]; /* memory: read */
	}
	*done = event;
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		omp_event_handle_t done;

		receive(&done);
		open_gate();
		omp_fulfill_event(done);
	}
	return 0;
}
