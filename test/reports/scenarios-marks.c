/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops with marks, which say how their work is spread over iterations. */
#include "scenarios.h"
#include "shared/loop-marks.h"
#include "shared/trace-usage.h"

/* The class of marks of loops (shared/loop-marks.h). */
static void define_marks(struct writer *writer)
{
#define MEMBER(id, name, unit, meaning)                                                            \
	OTF2_GlobalDefWriter_WriteMetricMember(writer->definitions, LOOP_MARK_##id,                \
	    writer_string(writer, name), 0, OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_POINT,    \
	    OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, writer_string(writer, unit));
	LOOP_MARKS(MEMBER)
#undef MEMBER
	OTF2_GlobalDefWriter_WriteMetricClass(writer->definitions, 0, LOOP_MARK_VALUES,
	    (OTF2_MetricMemberRef[]){0, 1, 2, 3, 4}, OTF2_METRIC_SYNCHRONOUS,
	    OTF2_RECORDER_KIND_CPU);
}

/* And that of the kernel's figures, of which only the first one is not 0. */
static void define_marks_and_usage(struct writer *writer)
{
#define NAME(id, name, unit, meaning) name,
	static const char *const names[] = {TRACE_USAGE(NAME)};
#undef NAME
	OTF2_MetricMemberRef members[TRACE_USAGE_VALUES];

	define_marks(writer);
	for (uint32_t i = 0; i < TRACE_USAGE_VALUES; i++) {
		OTF2_StringRef name = writer_string(writer, names[i]);

		members[i] = LOOP_MARK_VALUES + i;
		OTF2_GlobalDefWriter_WriteMetricMember(writer->definitions, members[i], name, name,
		    OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
		    OTF2_BASE_DECIMAL, 0, name);
	}
	OTF2_GlobalDefWriter_WriteMetricClass(writer->definitions, 1, TRACE_USAGE_VALUES, members,
	    OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
}

/* The thread has had no processor for so long. */
static void delay(struct writer *writer, int t, uint64_t sum)
{
	OTF2_Type types[TRACE_USAGE_VALUES];
	OTF2_MetricValue values[TRACE_USAGE_VALUES] = {{0}};

	for (int i = 0; i < TRACE_USAGE_VALUES; i++)
		types[i] = OTF2_TYPE_UINT64;
	values[TRACE_USAGE_DELAYED].unsigned_int = sum;
	OTF2_EvtWriter_Metric(
	    writer->events[t], NULL, writer->now[t], 1, TRACE_USAGE_VALUES, types, values);
}

static const struct loop_schedule by_blocks = {LOOP_SCHEDULE_STATIC, 0},
				  one_by_one = {LOOP_SCHEDULE_DYNAMIC, 1},
				  guided = {LOOP_SCHEDULE_GUIDED, 0};

static void mark(struct writer *writer, int t, struct loop_schedule schedule, uint64_t begin,
    uint64_t end, uint64_t time, uint64_t grain)
{
	static const OTF2_Type types[LOOP_MARK_VALUES] = {OTF2_TYPE_UINT64, OTF2_TYPE_UINT64,
	    OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64};
	OTF2_MetricValue values[LOOP_MARK_VALUES] = {{.unsigned_int = begin}, {.unsigned_int = end},
	    {.unsigned_int = time}, {.unsigned_int = grain},
	    {.unsigned_int = loop_mark_schedule(schedule)}};

	OTF2_EvtWriter_Metric(
	    writer->events[t], NULL, writer->now[t], 0, LOOP_MARK_VALUES, types, values);
}

/* What thread t does of the loop for scenario_marked(n). */
static void do_block(struct writer *writer, int t, long n, int step)
{
	uint64_t begin = (uint64_t)t * 250, end = begin + 250;
	bool is_long = t == (n == 4 && step == 1 ? 0 : 3);
	uint64_t time = (is_long ? 30 : 10) * MS;

	writer_work(writer, t, time);
	if (n == 2 && is_long) {
		mark(writer, t, by_blocks, begin, 999, 10 * MS, MS / 10);
		mark(writer, t, by_blocks, 999, end, 20 * MS, 20 * MS);
	} else if (n != 4 || step == 0) {
		mark(writer, t, by_blocks, begin, end, time, n == 3 ? time : MS / 10);
	}
}

/* Iterations that threads take as they are ready. */
static void do_chunks(
    struct writer *writer, int t, struct loop_schedule schedule, uint64_t iterations, uint64_t time)
{
	writer_work(writer, t, time);
	mark(writer, t, schedule, 0, iterations, time, MS / 10);
}

/* In the first thread only 6 ms of them. */
static void do_delayed_chunks(struct writer *writer, int t, int step)
{
	uint64_t lost = t == 0 ? 24 * MS : 0;

	delay(writer, t, (uint64_t)step * lost);
	writer_work(writer, t, 30 * MS);
	delay(writer, t, (uint64_t)(step + 1) * lost);
	mark(writer, t, one_by_one, 0, 1000, 30 * MS - lost, MS / 10);
}

/*
 * Four threads execute twice a loop of 1000 iterations, a block each: 10 ms, the last one 30. Its
 * marks show it: for n = 1 that each iteration of a block takes as long, for 2 that iteration 999
 * takes 20 ms, for 3 nothing of how the 30 ms are spread. For 4 only the first execution has marks,
 * and in the second one the first thread has 30 ms and the last one 10. For 5 both are in one
 * parallel region. For 6 the schedule is dynamic, and each thread has 15 ms. For 7 it is a loop
 * with nowait, after which the threads take iterations of 100 ms in all, so that they end together.
 * For 8 and 9 it has 1,000,000 iterations, of 15 ms for each thread, dynamic and guided.
 * For 10 it is dynamic; each thread is in it for 30 ms, the first one without a processor for 24.
 */
void scenario_marked(struct writer *writer, long n)
{
	writer->define_more = n == 10 ? define_marks_and_usage : define_marks;
	scenario_begin(writer);
	for (int step = 0; step < 2; step++) {
		if (n != 5 || step == 0)
			writer_fork(writer, 0, 4, 0, PARALLEL, 1 * MS);
		for (int t = 0; t < 4; t++) {
			if (n == 7) {
				writer_enter(writer, t, LOOP_NOWAIT);
				do_block(writer, t, n, step);
				writer_leave(writer, t, LOOP_NOWAIT);
			}
			writer_enter(writer, t, LOOP);
			if (n == 7)
				do_chunks(writer, t, one_by_one, 1000, (t == 3 ? 10 : 30) * MS);
			else if (n == 6)
				do_chunks(writer, t, one_by_one, 1000, 15 * MS);
			else if (n == 10)
				do_delayed_chunks(writer, t, step);
			else if (n > 7)
				do_chunks(
				    writer, t, n == 8 ? one_by_one : guided, 1000000, 15 * MS);
			else
				do_block(writer, t, n, step);
		}
		writer_barrier(writer, 0, 4, LOOP_BARRIER);
		for (int t = 0; t < 4; t++)
			writer_leave(writer, t, LOOP);
		if (n != 5 || step == 1)
			writer_join(writer, 0, 4, 0, PARALLEL, PARALLEL_BARRIER, 1 * MS);
	}
	scenario_end(writer);
}

/*
 * n threads execute a loop whose work grows with their number: 60 ms by one thread, 72 by two, 86.4
 * by four.
 */
void scenario_grown(struct writer *writer, long n)
{
	uint64_t work = n == 1 ? 60 * MS : n == 2 ? 36 * MS : 21600 * MS / 1000;

	scenario_begin(writer);
	writer_fork(writer, 0, (int)n, 0, PARALLEL, 0);
	for (int t = 0; t < n; t++) {
		writer_enter(writer, t, LOOP);
		writer_work(writer, t, work);
	}
	writer_barrier(writer, 0, (int)n, LOOP_BARRIER);
	for (int t = 0; t < n; t++)
		writer_leave(writer, t, LOOP);
	writer_join(writer, 0, (int)n, 0, PARALLEL, PARALLEL_BARRIER, 0);
	scenario_end(writer);
}
