/* SPDX-License-Identifier: BSD-3-Clause */
/* Many processes of many threads in one archive. */
#include "scenarios.h"

/* Metric class 0: "loads", a count. */
static void define_loads(struct writer *writer)
{
	static const OTF2_MetricMemberRef members[] = {0};
	OTF2_StringRef name = writer_string(writer, "loads"), unit = writer_string(writer, "#");

	OTF2_GlobalDefWriter_WriteMetricMember(writer->definitions, 0, name, 0,
	    OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
	    OTF2_BASE_DECIMAL, 0, unit);
	OTF2_GlobalDefWriter_WriteMetricClass(writer->definitions, 0, 1, members,
	    OTF2_METRIC_SYNCHRONOUS, OTF2_RECORDER_KIND_ABSTRACT);
}

static void count_loads(struct writer *writer, int thread, uint64_t loads)
{
	static const OTF2_Type type = OTF2_TYPE_UINT64;
	OTF2_MetricValue value = {.unsigned_int = loads};

	OTF2_EvtWriter_Metric(
	    writer->events[thread], NULL, writer->now[thread], 0, 1, &type, &value);
}

/*
 * n processes of 16 threads: 1 ms serial, then thread t of process p works p + t + 1 us; ten times.
 * Thread t counts t loads in each.
 */
void scenario_fleet(struct writer *writer, long n)
{
	writer->processes = (int)n;
	writer->define_more = define_loads;
	for (int p = 0; p < writer->processes; p++) {
		int first = p * FLEET_THREADS;

		writer_enter(writer, first, MAIN);
		for (int step = 0; step < 10; step++) {
			writer_work(writer, first, 1 * MS);
			writer_fork(
			    writer, first, FLEET_THREADS, writer_team(writer, p), PARALLEL, 0);
			for (int t = 0; t < FLEET_THREADS; t++) {
				writer_region(
				    writer, first + t, LOOP_NOWAIT, (uint64_t)(p + t + 1) * US);
				count_loads(writer, first + t, (uint64_t)(t * (step + 1)));
			}
			writer_join(writer, first, FLEET_THREADS, writer_team(writer, p), PARALLEL,
			    PARALLEL_BARRIER, 0);
		}
		writer_leave(writer, first, MAIN);
	}
}
