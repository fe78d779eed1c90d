/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: a ring buffer for one producer and one consumer, with head and tail as atomics.
 * Each side acquires what the other one has released, so that a place is filled and emptied in
 * turn.
 */
#include <omp.h>
#include <sched.h>

enum { PLACES = 8, ITEMS = 500 };

static int ring[PLACES];
static int head, tail;

static int read_acquire(int *counter)
{
	int value;

#pragma omp atomic read acquire
	value = *counter;
	return value;
}

static void produce(void)
{
	for (int i = 0; i < ITEMS; i++) {
		while (i - read_acquire(&tail) == PLACES)
			sched_yield();
		ring[i % PLACES] = i;
#pragma omp atomic write release
		head = i + 1;
	}
}

static int consume(void)
{
	int sum = 0;

	for (int i = 0; i < ITEMS; i++) {
		while (read_acquire(&head) == i)
			sched_yield();
		sum += ring[i % PLACES];
#pragma omp atomic write release
		tail = i + 1;
	}
	return sum;
}

int main(void)
{
	int sum = ITEMS * (ITEMS - 1) / 2;

#pragma omp parallel num_threads(2)
	if (omp_get_num_threads() == 2) {
		if (omp_get_thread_num() == 0)
			produce();
		else
			sum -= consume();
	} else {
		sum = 0;
	}
	return sum != 0;
}
