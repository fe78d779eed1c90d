/* SPDX-License-Identifier: BSD-3-Clause */
/* Many processes of many threads in one archive. */
#include "scenarios.h"

/*
 * n processes of 16 threads: 1 ms serial, then thread t of process p works p + t + 1 us; ten times.
 */
void scenario_fleet(struct writer *writer, long n)
{
	writer->processes = (int)n;
	for (int p = 0; p < writer->processes; p++) {
		int first = p * FLEET_THREADS;

		writer_enter(writer, first, MAIN);
		for (int step = 0; step < 10; step++) {
			writer_work(writer, first, 1 * MS);
			writer_fork(
			    writer, first, FLEET_THREADS, writer_team(writer, p), PARALLEL, 0);
			for (int t = 0; t < FLEET_THREADS; t++)
				writer_region(
				    writer, first + t, LOOP_NOWAIT, (uint64_t)(p + t + 1) * US);
			writer_join(writer, first, FLEET_THREADS, writer_team(writer, p), PARALLEL,
			    PARALLEL_BARRIER, 0);
		}
		writer_leave(writer, first, MAIN);
	}
}
