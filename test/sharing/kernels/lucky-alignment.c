/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * possible: a block for each of two threads, 64 bytes each, that happen to begin at a line.
 * malloc() promises 16 bytes only: with another alignment the last counter of one thread and the
 * first of the next share a line.
 */
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>

enum { STEPS = 32000000, COUNTERS = 8 };
#ifdef FIXED
enum { ROOM = 64 };
#else
enum { ROOM = COUNTERS };
#endif

int main(void)
{
	char *memory = malloc(2 * ROOM * sizeof(long) + 256);
	long *counters = (long *)(void *)(memory + (256 - (uintptr_t)memory % 256)), all = 0;

	for (int i = 0; i < 2 * ROOM; i++)
		counters[i] = 0;
#pragma omp parallel num_threads(2)
	{
		long *mine = counters + omp_get_thread_num() * ROOM;
		volatile int left = STEPS;

		while (left-- > 0)
			mine[left % COUNTERS]++; /* sharing: possible mine */
	}
	for (int i = 0; i < 2 * ROOM; i++)
		all += counters[i];
	free(memory);
	return all != 2L * STEPS;
}
