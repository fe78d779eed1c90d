/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * locks: a lock of the program's own lies in the line of a counter that only one thread uses. The
 * other takes and gives the lock all the time.
 */
#include <omp.h>
#include <stdatomic.h>

enum { STEPS = 8000000 };

static struct {
	atomic_int lock;
#ifdef FIXED
	char apart[128];
#endif
	int ticks;
} shared_line;

int main(void)
{
	long taken = 0;

#pragma omp parallel num_threads(2) reduction(+ : taken)
	{
		if (omp_get_thread_num() == 0) {
			for (int i = 0; i < STEPS; i++) {
				while (atomic_exchange_explicit(&shared_line.lock, 1,
				    memory_order_acquire)) { /* sharing: false shared_line */
				}
				taken++;
				atomic_store_explicit(&shared_line.lock, 0,
				    memory_order_release); /* sharing: false shared_line */
			}
		} else {
			for (int i = 0; i < 4 * STEPS; i++)
				(*(volatile int *)&shared_line
					.ticks)++; /* sharing: false shared_line */
		}
	}
	return taken != STEPS;
}
