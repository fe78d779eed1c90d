/* SPDX-License-Identifier: BSD-3-Clause */
/* What processors did: samples with call paths, and the kernel's figures, as libpomp writes them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "scenarios.h"
#include "shared/trace-usage.h"

/* Functions, as regions that follow the writer's own. */
enum function {
	MAIN_FUNCTION,
	READ_INPUT,
	SOLVE,
	KERNEL,
	START_THREAD,
	RUN_TEAM,
	MUTEX_LOCK,
	READ_CALL, /* system calls, as the functions of blocked threads */
	FUTEX_CALL,
	SLEEP_CALL,
	FUNCTIONS
};

static const struct {
	const char *name;
	bool is_runtime;
} functions[FUNCTIONS] = {{"main", false}, {"read_input", false}, {"solve", false},
    {"kernel", false}, {"start_thread", true}, {"rt_run_team", true},
    {"__pthread_mutex_lock", true}, {"read", true}, {"futex", true}, {"clock_nanosleep", true}};

/* Where a sample was taken, or what called it. */
enum place {
	MAIN_READS,
	READS,
	MAIN_SOLVES,
	SOLVE_FORKS,
	TEAM_OF_MAIN,
	LOOP_OF_MAIN,
	KERNEL_OF_MAIN,
	KERNEL_END_OF_MAIN,
	BARRIER_OF_MAIN,
	TASK_OF_MAIN,
	KERNEL_OF_TASK,
	WORKER,
	TEAM_OF_WORKER,
	LOOP_OF_WORKER,
	KERNEL_OF_WORKER,
	END_OF_WORKER,
	BARRIER_OF_WORKER,
	READING,
	MAIN_LOCKS,
	LOCKING,
	LOCKING_WAITS,
	KERNEL_SLEEPS,
	SLEEPING,
	PLACES
};

static const struct {
	enum function function;
	uint32_t line;
	enum place parent; /* itself: there is none */
} places[PLACES] = {
    [MAIN_READS] = {MAIN_FUNCTION, 90, MAIN_READS},
    [READS] = {READ_INPUT, 70, MAIN_READS},
    [MAIN_SOLVES] = {MAIN_FUNCTION, 91, MAIN_SOLVES},
    [SOLVE_FORKS] = {SOLVE, 10, MAIN_SOLVES},
    [TEAM_OF_MAIN] = {RUN_TEAM, 300, SOLVE_FORKS},
    [LOOP_OF_MAIN] = {SOLVE, 13, TEAM_OF_MAIN},
    [KERNEL_OF_MAIN] = {KERNEL, 60, LOOP_OF_MAIN},
    [KERNEL_END_OF_MAIN] = {KERNEL, 61, LOOP_OF_MAIN},
    [BARRIER_OF_MAIN] = {RUN_TEAM, 310, TEAM_OF_MAIN},
    [TASK_OF_MAIN] = {SOLVE, 38, BARRIER_OF_MAIN},
    [KERNEL_OF_TASK] = {KERNEL, 60, TASK_OF_MAIN},
    [WORKER] = {START_THREAD, 400, WORKER},
    [TEAM_OF_WORKER] = {RUN_TEAM, 300, WORKER},
    [LOOP_OF_WORKER] = {SOLVE, 13, TEAM_OF_WORKER},
    [KERNEL_OF_WORKER] = {KERNEL, 60, LOOP_OF_WORKER},
    [END_OF_WORKER] = {SOLVE, 15, TEAM_OF_WORKER},
    [BARRIER_OF_WORKER] = {RUN_TEAM, 310, END_OF_WORKER},
    [READING] = {READ_CALL, 0, READS},
    [MAIN_LOCKS] = {MAIN_FUNCTION, 92, MAIN_LOCKS},
    [LOCKING] = {MUTEX_LOCK, 80, MAIN_LOCKS},
    [LOCKING_WAITS] = {FUTEX_CALL, 0, LOCKING},
    [KERNEL_SLEEPS] = {KERNEL, 62, LOOP_OF_MAIN},
    [SLEEPING] = {SLEEP_CALL, 0, KERNEL_SLEEPS},
};

static void define_functions(struct writer *writer, const OTF2_StringRef files[2])
{
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		OTF2_StringRef name = writer_string(writer, functions[i].name);

		OTF2_GlobalDefWriter_WriteRegion(writer->definitions, REGIONS + i, name, name, 0,
		    OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_SAMPLING, OTF2_REGION_FLAG_NONE,
		    files[functions[i].is_runtime], 0, 0);
	}
}

static void define_places(struct writer *writer, const OTF2_StringRef files[2])
{
	for (uint32_t i = 0; i < PLACES; i++) {
		OTF2_GlobalDefWriter_WriteSourceCodeLocation(writer->definitions, i,
		    files[functions[places[i].function].is_runtime], places[i].line);
		OTF2_GlobalDefWriter_WriteCallingContext(writer->definitions, i,
		    REGIONS + (uint32_t)places[i].function, i,
		    places[i].parent == i ? OTF2_UNDEFINED_CALLING_CONTEXT : places[i].parent);
	}
	OTF2_GlobalDefWriter_WriteInterruptGenerator(writer->definitions, 0,
	    writer_string(writer, "processor time"), OTF2_INTERRUPT_GENERATOR_MODE_TIME,
	    OTF2_BASE_DECIMAL, -6, 4000);
	OTF2_GlobalDefWriter_WriteInterruptGenerator(writer->definitions, 1,
	    writer_string(writer, TRACE_BLOCKED_GENERATOR), OTF2_INTERRUPT_GENERATOR_MODE_TIME,
	    OTF2_BASE_DECIMAL, -6, 4000);
}

static void define_usage(struct writer *writer)
{
#define NAME(id, name, unit, meaning) name,
	static const char *const names[] = {TRACE_USAGE(NAME)};
#undef NAME
	OTF2_MetricMemberRef members[TRACE_USAGE_VALUES];

	for (uint32_t i = 0; i < TRACE_USAGE_VALUES; i++) {
		OTF2_StringRef name = writer_string(writer, names[i]);

		members[i] = i;
		OTF2_GlobalDefWriter_WriteMetricMember(writer->definitions, i, name, name,
		    OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
		    OTF2_BASE_DECIMAL, 0, name);
	}
	OTF2_GlobalDefWriter_WriteMetricClass(writer->definitions, 0, TRACE_USAGE_VALUES, members,
	    OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
}

static void define(struct writer *writer)
{
	OTF2_StringRef files[2] = {
	    writer_string(writer, writer->source), writer_string(writer, "../runtime/team.c")};

	define_functions(writer, files);
	define_places(writer, files);
	define_usage(writer);
}

/* Works so long, with `count` samples in its course. */
static void sample(struct writer *writer, int thread, enum place place, int count, uint64_t ticks)
{
	for (int i = 0; i < count; i++) {
		writer_work(writer, thread, ticks / (uint64_t)count);
		OTF2_EvtWriter_CallingContextSample(writer->events[thread], NULL,
		    writer->now[thread], (OTF2_CallingContextRef)place, 2, 0);
	}
}

/* Is seen in a system call so often. */
static void block(struct writer *writer, int thread, enum place place, int count)
{
	for (int i = 0; i < count; i++)
		OTF2_EvtWriter_CallingContextSample(writer->events[thread], NULL,
		    writer->now[thread], (OTF2_CallingContextRef)place, 2, 1);
}

/* The kernel's figures of the thread: all of them are sums. */
static void use(struct writer *writer, int thread, uint64_t delayed, uint64_t blocked)
{
	static uint64_t sums[2][TRACE_USAGE_VALUES];
	OTF2_Type types[TRACE_USAGE_VALUES];
	OTF2_MetricValue values[TRACE_USAGE_VALUES];

	sums[thread][TRACE_USAGE_DELAYED] += delayed;
	sums[thread][TRACE_USAGE_BLOCKED] += blocked;
	sums[thread][TRACE_USAGE_SYSTEM] += 1 * MS;
	sums[thread][TRACE_USAGE_FAULTS] += 10;
	for (int i = 0; i < TRACE_USAGE_VALUES; i++) {
		types[i] = OTF2_TYPE_UINT64;
		values[i].unsigned_int = sums[thread][i];
	}
	OTF2_EvtWriter_Metric(writer->events[thread], NULL, writer->now[thread], 0,
	    TRACE_USAGE_VALUES, types, values);
}

/* As the function below says of each step. */
static void step(struct writer *writer)
{
	writer_fork(writer, 0, 2, 0, PARALLEL, 0);
	for (int t = 0; t < 2; t++)
		writer_enter(writer, t, LOOP);
	sample(writer, 0, KERNEL_OF_MAIN, 4, 16 * MS);
	sample(writer, 0, KERNEL_END_OF_MAIN, 1, 4 * MS);
	writer_work(writer, 0, 6 * MS);
	block(writer, 0, SLEEPING, 1);
	use(writer, 0, 4 * MS, 2 * MS);
	sample(writer, 1, KERNEL_OF_WORKER, 2, 10 * MS);
	use(writer, 1, 0, 0);
	writer_enter(writer, 1, LOOP_BARRIER);
	sample(writer, 1, BARRIER_OF_WORKER, 1, 4 * MS);
	writer_leave(writer, 1, LOOP_BARRIER);
	for (int t = 0; t < 2; t++)
		writer_leave(writer, t, LOOP);
	writer_task_create(writer, 0, 1, 0);
	writer_task_switch(writer, 0, 1);
	writer_enter(writer, 0, TASK);
	sample(writer, 0, KERNEL_OF_TASK, 2, 8 * MS);
	writer_leave(writer, 0, TASK);
	writer_task_complete(writer, 0, 1);
	writer_join(writer, 0, 2, 0, PARALLEL, PARALLEL_BARRIER, 0);
}

/*
 * Two threads: 20 ms serial with 5 samples, of which 4 in a function that main() calls, and 10 ms
 * of which it is blocked, seen three times in read(2) and once at a mutex. Then n steps: in a loop
 * the first thread has 5 samples in 26 ms, of which 4 ms without a processor and 2 ms blocked, seen
 * once in a sleep, the second one 2 samples in 10 ms; it waits with one
 * sample for 4 ms. Then the first one executes a task with 2 samples in 8 ms. The program's source
 * is MAKE_ARCHIVE_SOURCE if that is set.
 */
void scenario_processor(struct writer *writer, long n)
{
	const char *source = getenv("MAKE_ARCHIVE_SOURCE");

	writer->source = source ? source : writer->source;
	writer->define_more = define;
	scenario_begin(writer);
	sample(writer, 0, MAIN_READS, 1, 4 * MS);
	sample(writer, 0, READS, 4, 16 * MS);
	block(writer, 0, READING, 3);
	block(writer, 0, LOCKING_WAITS, 1);
	use(writer, 0, 0, 10 * MS);
	for (long i = 0; i < n; i++)
		step(writer);
	scenario_end(writer);
}

/*
 * Two processes of one thread, 20 ms each: n times the second one has no processor for 4 ms of them
 * and is blocked for 6 ms.
 */
void scenario_absent(struct writer *writer, long n)
{
	writer->processes = 2;
	writer->define_more = define_usage;
	for (int t = 0; t < 2; t++) {
		writer_enter(writer, t, MAIN);
		writer_work(writer, t, 20 * MS);
		use(writer, t, (uint64_t)(t * n) * 4 * MS, (uint64_t)(t * n) * 6 * MS);
		writer_leave(writer, t, MAIN);
	}
}

enum { CHAIN = 300 };

static long branches;

/* Context i calls 2 i + 1 and 2 i + 2; then a chain, each of which calls the next. */
static void define_branches(struct writer *writer)
{
	char text[64];

	for (uint32_t i = 0; i < (uint32_t)branches + CHAIN; i++) {
		OTF2_CallingContextRef parent = i < (uint32_t)branches   ? (i - 1) / 2
						: i > (uint32_t)branches ? i - 1
									 : 0;
		bool is_named = i % 7 > 0;
		OTF2_StringRef name;

		snprintf(text, sizeof(text), is_named ? "<function> %u" : "/lib/libfoo.so+0x%x", i);
		name = writer_string(writer, text);
		OTF2_GlobalDefWriter_WriteRegion(writer->definitions, REGIONS + i,
		    is_named ? name : 0, is_named ? name : 0, 0, OTF2_REGION_ROLE_FUNCTION,
		    OTF2_PARADIGM_SAMPLING, OTF2_REGION_FLAG_NONE,
		    is_named ? OTF2_UNDEFINED_STRING : name, 0, 0);
		OTF2_GlobalDefWriter_WriteCallingContext(writer->definitions, i, REGIONS + i,
		    OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
		    i == 0 ? OTF2_UNDEFINED_CALLING_CONTEXT : parent);
	}
}

/*
 * One thread with n functions, each seventh without a name, of which each calls two others, i % 3 +
 * 1 samples in the one of number i, and ten samples at the end of a chain of CHAIN functions.
 */
void scenario_branching(struct writer *writer, long n)
{
	branches = n;
	writer->define_more = define_branches;
	scenario_begin(writer);
	writer_enter(writer, 0, MAIN);
	for (long i = 0; i < n + 10; i++)
		for (long j = 0; j <= (i < n ? i % 3 : 0); j++) {
			writer_work(writer, 0, 4 * MS);
			OTF2_EvtWriter_CallingContextSample(writer->events[0], NULL, writer->now[0],
			    (OTF2_CallingContextRef)(i < n ? i : n + CHAIN - 1), 2, 0);
		}
	writer_leave(writer, 0, MAIN);
	scenario_end(writer);
}

enum { COUNTED = 2 }; /* floating-point operations, and misses of the last cache */

static int counted; /* how many of them */

static void define_counters(struct writer *writer)
{
	static const char *const names[COUNTED] = {"PAPI_DP_OPS", "PAPI_L3_TCM"};
	const OTF2_MetricMemberRef members[COUNTED] = {0, 1};

	for (uint32_t i = 0; i < COUNTED; i++) {
		OTF2_StringRef name = writer_string(writer, names[i]);

		OTF2_GlobalDefWriter_WriteMetricMember(writer->definitions, i, name, name,
		    OTF2_METRIC_TYPE_PAPI, OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
		    OTF2_BASE_DECIMAL, 0, writer_string(writer, "#"));
	}
	OTF2_GlobalDefWriter_WriteMetricClass(writer->definitions, 0, (uint8_t)counted, members,
	    OTF2_METRIC_SYNCHRONOUS_STRICT, OTF2_RECORDER_KIND_CPU);
}

/* What the thread counts until its next event. */
static void count(struct writer *writer, int thread, uint64_t operations, uint64_t misses)
{
	static uint64_t sums[2][COUNTED];
	const OTF2_Type types[COUNTED] = {OTF2_TYPE_UINT64, OTF2_TYPE_UINT64};
	OTF2_MetricValue values[COUNTED];

	sums[thread][0] += operations;
	sums[thread][1] += misses;
	for (int i = 0; i < COUNTED; i++)
		values[i].unsigned_int = sums[thread][i];
	OTF2_EvtWriter_Metric(
	    writer->events[thread], NULL, writer->now[thread], 0, (uint8_t)counted, types, values);
}

static void write_counted(struct writer *writer, int thread, enum region region, uint64_t ticks,
    uint64_t operations, uint64_t misses)
{
	count(writer, thread, 0, 0);
	writer_enter(writer, thread, region);
	writer_work(writer, thread, ticks);
	count(writer, thread, operations, misses);
	writer_leave(writer, thread, region);
}

/*
 * Two threads, each 40 ms in a loop with 40 million operations and 1 million misses, and 10 ms in a
 * master with 200 million operations and none. n = 2: misses were not counted; n = 4: nor could
 * they be.
 */
void scenario_counted(struct writer *writer, long n)
{
	counted = n % 2 == 1 ? COUNTED : 1;
	writer->define_more = define_counters;
	if (n == 4)
		OTF2_Archive_SetProperty(writer->archive, "POMP::DROPPED_METRIC_1",
		    "PAPI_L3_TCM: the processor has no such event", true);
	scenario_begin(writer);
	writer_fork(writer, 0, 2, 0, PARALLEL, 0);
	for (int t = 0; t < 2; t++) {
		write_counted(writer, t, LOOP_NOWAIT, 40 * MS, 40000000, 1000000);
		write_counted(writer, t, MASTER, 10 * MS, 200000000, 0);
	}
	writer_join(writer, 0, 2, 0, PARALLEL, PARALLEL_BARRIER, 0);
	scenario_end(writer);
}
