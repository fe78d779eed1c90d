/* SPDX-License-Identifier: BSD-3-Clause */
/* struct: one thread fills a queue whose tail lies beside the head, which another one moves. */
#include <omp.h>
#include <stdio.h>

enum { STEPS = 500000 };

static struct {
	volatile long head;
#ifdef FIXED
	_Alignas(64)
#endif
	    volatile long tail;
} queue;

int main(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0)
		for (long i = 0; i < STEPS; i++)
			queue.head = queue.head + 1; /* sharing: false queue */
	else
		for (long i = 0; i < STEPS; i++)
			queue.tail = queue.tail + 2; /* sharing: false queue */
	printf("%ld\n", queue.tail - queue.head);
	return 0;
}
