/* SPDX-License-Identifier: BSD-3-Clause */
/* Several processes in one archive. */
#include "scenarios.h"

/* Two processes of two threads: 10 ms serial, then thread t of each works (t + 1) x 10 ms. */
void scenario_ranks(struct writer *writer, long n)
{
	(void)n;
	writer->processes = 2;
	for (int t = 0; t < 4; t += 2) {
		writer_enter(writer, t, MAIN);
		writer_work(writer, t, 10 * MS);
		writer_fork(writer, t, 2, (OTF2_CommRef)(t + 1), PARALLEL, 0);
		writer_work(writer, t, 10 * MS);
		writer_work(writer, t + 1, 20 * MS);
		writer_join(writer, t, 2, (OTF2_CommRef)(t + 1), PARALLEL, PARALLEL_BARRIER, 0);
		writer_leave(writer, t, MAIN);
	}
}
