/* SPDX-License-Identifier: BSD-3-Clause */
/* A sampled program, as our own traces have it: call paths that know no constructs. */
#include <stddef.h>

#include "scenarios.h"

enum { NONE = -1 };

enum function { IN_MAIN, IN_SOLVE, IN_KERNEL, IN_FORK, IN_WAIT, IN_START, FUNCTIONS };

static const char *functions[FUNCTIONS] = {
    "main", "solve", "kernel", "GOMP_parallel", "gomp_wait", "start_thread"};

enum context {
	SERIAL,
	CALL_OF_SOLVE,
	CALL_OF_FORK,
	FORK,
	BODY,
	KERNEL,
	KERNEL_NEXT,
	WAIT_IN_FORK,
	START,
	WORKER_BODY,
	WORKER_KERNEL,
	CALL_OF_LOCK,
	WAIT_FOR_LOCK,
	HOLDER,
	CONTEXTS
};

static const struct {
	enum function function;
	const char *file; /* NULL: no place is known */
	uint32_t line;
	int parent;
} contexts[CONTEXTS] = {
    [SERIAL] = {IN_MAIN, "/src/app/main.c", 7, NONE},
    [CALL_OF_SOLVE] = {IN_MAIN, "/src/app/main.c", 8, NONE},
    [CALL_OF_FORK] = {IN_SOLVE, "/src/app/solver.c", 10, CALL_OF_SOLVE},
    [FORK] = {IN_FORK, NULL, 0, CALL_OF_FORK},
    [BODY] = {IN_SOLVE, "/src/app/solver.c", 13, FORK},
    [KERNEL] = {IN_KERNEL, "/src/app/kernel.c", 33, BODY},
    [KERNEL_NEXT] = {IN_KERNEL, "/src/app/kernel.c", 34, BODY},
    [WAIT_IN_FORK] = {IN_WAIT, NULL, 0, FORK},
    [START] = {IN_START, NULL, 0, NONE},
    [WORKER_BODY] = {IN_SOLVE, "/src/app/solver.c", 13, START},
    [WORKER_KERNEL] = {IN_KERNEL, "/src/app/kernel.c", 33, WORKER_BODY},
    [CALL_OF_LOCK] = {IN_SOLVE, "/src/app/solver.c", 28, START},
    [WAIT_FOR_LOCK] = {IN_WAIT, NULL, 0, CALL_OF_LOCK},
    [HOLDER] = {IN_SOLVE, "/src/app/solver.c", 29, START},
};

static void define_contexts(struct writer *writer)
{
	OTF2_StringRef files[CONTEXTS];

	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		OTF2_StringRef name = writer_string(writer, functions[i]);

		OTF2_GlobalDefWriter_WriteRegion(writer->definitions, REGIONS + i, name, name, 0,
		    OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_SAMPLING, OTF2_REGION_FLAG_NONE,
		    OTF2_UNDEFINED_STRING, 0, 0);
	}
	for (uint32_t i = 0; i < CONTEXTS; i++) {
		if (!contexts[i].file)
			continue;
		files[i] = writer_string(writer, contexts[i].file);
		OTF2_GlobalDefWriter_WriteSourceCodeLocation(
		    writer->definitions, i, files[i], contexts[i].line);
	}
	for (uint32_t i = 0; i < CONTEXTS; i++)
		OTF2_GlobalDefWriter_WriteCallingContext(writer->definitions, i,
		    REGIONS + contexts[i].function,
		    contexts[i].file ? i : OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
		    contexts[i].parent == NONE ? OTF2_UNDEFINED_CALLING_CONTEXT
					       : (OTF2_CallingContextRef)contexts[i].parent);
	OTF2_GlobalDefWriter_WriteInterruptGenerator(writer->definitions, 0,
	    writer_string(writer, "processor time"), OTF2_INTERRUPT_GENERATOR_MODE_TIME,
	    OTF2_BASE_DECIMAL, -6, 4000);
}

static void sample(struct writer *writer, int thread, OTF2_CallingContextRef context, long count)
{
	for (long i = 0; i < count; i++) {
		writer_work(writer, thread, 4 * MS);
		OTF2_EvtWriter_CallingContextSample(writer->events[thread], NULL,
		    writer->now[thread], context, OTF2_UNDEFINED_UINT32, 0);
	}
}

/* Waits for the lock in 2 n samples, and holds it in n. */
static void sampled_critical(struct writer *writer, int thread, long n)
{
	OTF2_EvtWriter *events = writer->events[thread];

	writer_enter(writer, thread, CRITICAL);
	sample(writer, thread, WAIT_FOR_LOCK, 2 * n);
	OTF2_EvtWriter_ThreadAcquireLock(
	    events, NULL, writer->now[thread], OTF2_PARADIGM_OPENMP, 3, 0);
	writer_enter(writer, thread, CRITICAL_BLOCK);
	sample(writer, thread, HOLDER, n);
	writer_leave(writer, thread, CRITICAL_BLOCK);
	OTF2_EvtWriter_ThreadReleaseLock(
	    events, NULL, writer->now[thread], OTF2_PARADIGM_OPENMP, 3, 0);
	writer_leave(writer, thread, CRITICAL);
}

/*
 * 3 n samples in the serial part; in a loop 5 n of the first thread, in two lines, and 4 n of the
 * other; n in the first thread's wait at its end; 3 n in a critical; one in an undefined place. For
 * n = 2 a function's name would end a frame and a line, and is not UTF-8.
 */
void scenario_profiled(struct writer *writer, long n)
{
	if (n == 2)
		functions[IN_KERNEL] = "k;\"\n\033[31m\xff";
	writer->define_more = define_contexts;
	scenario_begin(writer);
	sample(writer, 0, SERIAL, 3 * n);
	writer_fork(writer, 0, 2, 0, PARALLEL, 0);
	writer_enter(writer, 0, LOOP);
	writer_enter(writer, 1, LOOP);
	sample(writer, 0, KERNEL, 2 * n);
	sample(writer, 0, KERNEL_NEXT, 2 * n);
	sample(writer, 0, KERNEL, n);
	sample(writer, 1, WORKER_KERNEL, 4 * n);
	writer_enter(writer, 0, LOOP_BARRIER);
	sample(writer, 0, WAIT_IN_FORK, n);
	writer_leave(writer, 0, LOOP_BARRIER);
	writer_leave(writer, 0, LOOP);
	writer_leave(writer, 1, LOOP);
	sampled_critical(writer, 1, n);
	writer_join(writer, 0, 2, 0, PARALLEL, PARALLEL_BARRIER, 0);
	sample(writer, 0, 4711, 1);
	scenario_end(writer);
}

/*
 * Three processes of two threads, of which the last begins first and the first last; each executes
 * the functions in another order.
 */
void scenario_scattered(struct writer *writer, long n)
{
	static const enum context serial[] = {SERIAL, CALL_OF_SOLVE, CALL_OF_FORK};

	writer->processes = 3;
	writer->define_more = define_contexts;
	for (int p = 0; p < writer->processes; p++) {
		int first = 2 * p;
		OTF2_CommRef team = writer_team(writer, p);

		writer_work(writer, first, (uint64_t)(3 - p) * 10 * MS);
		writer_enter(writer, first, MAIN);
		for (int i = 0; i < 3; i++)
			sample(writer, first, serial[(p + i) % 3], n);
		writer_fork(writer, first, 2, team, PARALLEL, 0);
		sample(writer, first, p == 1 ? KERNEL_NEXT : KERNEL, n);
		sample(writer, first + 1, p == 1 ? WORKER_BODY : WORKER_KERNEL, 2 * n);
		writer_join(writer, first, 2, team, PARALLEL, PARALLEL_BARRIER, 0);
		writer_leave(writer, first, MAIN);
	}
}
