/* SPDX-License-Identifier: BSD-3-Clause */
/* Two shared tables, each in a critical section of its own: one is held for long, one briefly. */
#include "program.h"

enum { ITEMS = 80000, TURNS = 1200, LONG = 1400, BRIEF = 300 };

static long index_sum, log_sum;

static void update(long *sum, int value, int turns)
{
	*sum += value;
	compute(turns);
}

static void update_index(int value)
{
#ifdef FREE_INDEX
	long own = 0;
	update(&own, value, LONG / FASTER);
#else
#pragma omp critical(index) // @index
	update(&index_sum, value, LONG / FASTER);
#endif
}

static void update_log(int value)
{
#ifdef FREE_LOG
	long own = 0;
	update(&own, value, BRIEF);
#else
#pragma omp critical(log) // @log
	update(&log_sum, value, BRIEF);
#endif
}

int main(void)
{
#pragma omp parallel for schedule(SCHEDULE) // @loop
	for (int i = 0; i < ITEMS; i++) {
		compute(TURNS);
		update_index(i);
		update_log(i);
	}
	printf("%ld %ld\n", index_sum, log_sum);
	return 0;
}
