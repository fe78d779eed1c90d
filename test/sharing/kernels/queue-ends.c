/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queue: the two ends of a queue between a producer and a consumer lie in one line. Each of them
 * writes its own end at every element, and looks at the other's only when its copy says that there
 * is nothing to do.
 */
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>

enum { ELEMENTS = 9000000, SLOTS = 1 << 12 };

static struct {
	atomic_uint head;
#ifdef FIXED
	char apart[128];
#endif
	atomic_uint tail;
} ends;
static unsigned slots[SLOTS];

static void produce(void)
{
	unsigned tail = 0;

	for (unsigned i = 0; i < ELEMENTS; i++) {
		while (i - tail == SLOTS) {
			tail = atomic_load_explicit(&ends.tail, memory_order_acquire);
			if (i - tail == SLOTS)
				sched_yield();
		}
		slots[i % SLOTS] = i;
		atomic_store_explicit(
		    &ends.head, i + 1, memory_order_release); /* sharing: false ends */
	}
}

static unsigned long consume(void)
{
	unsigned long sum = 0;
	unsigned head = 0;

	for (unsigned i = 0; i < ELEMENTS; i++) {
		while (head == i) {
			head = atomic_load_explicit(&ends.head, memory_order_acquire);
			if (head == i)
				sched_yield();
		}
		sum += slots[i % SLOTS];
		atomic_store_explicit(
		    &ends.tail, i + 1, memory_order_release); /* sharing: false ends */
	}
	return sum;
}

int main(void)
{
	unsigned long sum = 0;

#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		produce();
#pragma omp section
		sum = consume();
	}
	return sum != (unsigned long)ELEMENTS * (ELEMENTS - 1) / 2;
}
