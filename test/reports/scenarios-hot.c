/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples with call paths as Score-P writes them: constructs are parts of the paths, and events of
 * the first thread name them by calling contexts.
 */
#include <stdlib.h>

#include "scenarios.h"

enum { PERIOD = 4 }; /* ms of processor time for each sample */

/* Functions follow the constructs; the place of their definition, and the line of it, is a file. */
enum {
	FUNCTION_MAIN = REGIONS,
	FUNCTION_READ,
	FUNCTION_KERNEL,
	FUNCTION_SIN,
	FUNCTION_WAIT,
	FUNCTION_OF_LOOP /* ompinst's: a construct stands for the function that is made of it */
};

static const struct {
	const char *name, *file;
} functions[] = {
    {"main", NULL},
    {"read_input", NULL},
    {"kernel", "/src/app/kernel.c"},
    {"sin", "libm.so.6"},
    {"spin", "libgomp.so.1"},
    {"for at solver.c:12", NULL},
};

enum context {
	IN_MAIN,
	IN_READ,
	IN_PARALLEL,
	IN_LOOP,
	IN_FIRST,
	IN_SECOND,
	IN_SIN,
	IN_FIRST_AGAIN,
	OF_WORKER,
	IN_WORKERS_LOOP,
	IN_WORKERS_FIRST,
	IN_WORKERS_SECOND,
	IN_WAIT,
	CONTEXTS,
	UNDEFINED = 999999
};

static const struct {
	uint32_t region;
	uint32_t file; /* of `functions`; UINT32_MAX: there is no line */
	uint32_t line;
	uint32_t parent;
} contexts[CONTEXTS] = {
    [IN_MAIN] = {FUNCTION_MAIN, 0, 5, OTF2_UNDEFINED_CALLING_CONTEXT},
    [IN_READ] = {FUNCTION_READ, 0, 3, IN_MAIN},
    [IN_PARALLEL] = {PARALLEL, 0, 10, IN_MAIN},
    [IN_LOOP] = {LOOP, 0, 12, IN_PARALLEL},
    [IN_FIRST] = {FUNCTION_KERNEL, 2, 13, IN_LOOP},
    [IN_SECOND] = {FUNCTION_KERNEL, 2, 14, IN_LOOP},
    [IN_SIN] = {FUNCTION_SIN, UINT32_MAX, 0, IN_SECOND},
    [IN_FIRST_AGAIN] = {FUNCTION_KERNEL, 2, 13, IN_SIN},
    [OF_WORKER] = {PARALLEL, 0, 10, OTF2_UNDEFINED_CALLING_CONTEXT},
    [IN_WORKERS_LOOP] = {FUNCTION_OF_LOOP, 0, 12, OF_WORKER},
    [IN_WORKERS_FIRST] = {FUNCTION_KERNEL, 2, 13, IN_WORKERS_LOOP},
    [IN_WORKERS_SECOND] = {FUNCTION_KERNEL, 2, 14, IN_WORKERS_LOOP},
    [IN_WAIT] = {FUNCTION_WAIT, UINT32_MAX, 0, OF_WORKER},
};

/* By how many lines kernel.c has moved. */
static uint32_t moved;

/* How many calls there are below read_input(). */
static uint32_t deeper;

/* Whether samples are also taken by a counter, so that their time is unknown. */
static bool by_counter;

static OTF2_StringRef file_of(struct writer *writer, uint32_t function)
{
	const char *file = functions[function].file;

	return writer_string(writer, file ? file : writer->source);
}

static void define_samples(struct writer *writer)
{
	OTF2_StringRef none = writer_string(writer, "timer");

	for (uint32_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		OTF2_StringRef name = writer_string(writer, functions[i].name);

		OTF2_GlobalDefWriter_WriteRegion(writer->definitions, FUNCTION_MAIN + i, name, name,
		    0,
		    FUNCTION_MAIN + i == FUNCTION_OF_LOOP ? OTF2_REGION_ROLE_CODE
							  : OTF2_REGION_ROLE_FUNCTION,
		    OTF2_PARADIGM_SAMPLING, OTF2_REGION_FLAG_NONE, file_of(writer, i), 0, 0);
	}
	for (uint32_t i = 0; i < CONTEXTS; i++) {
		bool has_line = contexts[i].file != UINT32_MAX;

		if (has_line)
			OTF2_GlobalDefWriter_WriteSourceCodeLocation(writer->definitions, i,
			    file_of(writer, contexts[i].file),
			    contexts[i].line + (contexts[i].region == FUNCTION_KERNEL ? moved : 0));
		OTF2_GlobalDefWriter_WriteCallingContext(writer->definitions, i, contexts[i].region,
		    has_line ? i : OTF2_UNDEFINED_SOURCE_CODE_LOCATION, contexts[i].parent);
	}
	for (uint32_t i = CONTEXTS; i < CONTEXTS + deeper; i++)
		OTF2_GlobalDefWriter_WriteCallingContext(writer->definitions, i,
		    i % 2 ? FUNCTION_KERNEL : FUNCTION_SIN, OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
		    i == CONTEXTS ? IN_READ : i - 1);
	OTF2_GlobalDefWriter_WriteInterruptGenerator(writer->definitions, 0, none,
	    OTF2_INTERRUPT_GENERATOR_MODE_TIME, OTF2_BASE_DECIMAL, -6, PERIOD * 1000);
	if (by_counter)
		OTF2_GlobalDefWriter_WriteInterruptGenerator(writer->definitions, 1, none,
		    OTF2_INTERRUPT_GENERATOR_MODE_COUNT, OTF2_BASE_DECIMAL, 6, 1);
}

static void sample(struct writer *writer, int thread, uint32_t context, long count)
{
	for (long i = 0; i < count; i++) {
		writer_work(writer, thread, PERIOD * MS);
		OTF2_EvtWriter_CallingContextSample(
		    writer->events[thread], NULL, writer->now[thread], context, 1, 0);
	}
}

/*
 * Of 99 + n samples thread 0 has 49 + n: 10 in read_input(), 5 in main(), 20 in the first line of
 * the loop's kernel(), 9 + n in the second, 4 in sin(), which the second calls, and 1 in a kernel()
 * that sin() calls. Thread 1 has 24 and 6 in the two lines, and 20 in the barrier. n = 2:
 * three more have a context that is not defined. The source is MAKE_ARCHIVE_SOURCE if that is set.
 * n = 998: and one more sample below 300,000 calls in read_input(). n = 999: a counter causes
 * samples, too. n = 7001: as n = 1, and the lines of kernel() have moved by 7.
 */
void scenario_hot(struct writer *writer, long n)
{
	OTF2_EvtWriter *events = writer->events[0];
	const char *source = getenv("MAKE_ARCHIVE_SOURCE");

	moved = (uint32_t)n / 1000;
	n %= 1000;
	by_counter = n == 999;
	deeper = n == 998 ? 300000 : 0;
	writer->source = source ? source : writer->source;
	writer->define_more = define_samples;
	scenario_begin(writer);
	sample(writer, 0, IN_READ, 10);
	sample(writer, 0, CONTEXTS - 1 + deeper, deeper > 0);
	sample(writer, 0, IN_MAIN, 5);
	OTF2_EvtWriter_ThreadFork(events, NULL, writer->now[0], OTF2_PARADIGM_OPENMP, 2);
	writer->now[1] = writer->now[0];
	for (int t = 0; t < 2; t++)
		OTF2_EvtWriter_ThreadTeamBegin(writer->events[t], NULL, writer->now[t], 0);
	OTF2_EvtWriter_CallingContextEnter(events, NULL, writer->now[0], IN_PARALLEL, 1);
	OTF2_EvtWriter_CallingContextEnter(events, NULL, writer->now[0], IN_LOOP, 1);
	sample(writer, 0, IN_FIRST, 20);
	sample(writer, 0, IN_SECOND, 9 + n);
	sample(writer, 0, IN_SIN, 4);
	sample(writer, 0, IN_FIRST_AGAIN, 1);
	OTF2_EvtWriter_CallingContextLeave(events, NULL, writer->now[0], IN_LOOP);
	writer_enter(writer, 1, PARALLEL);
	writer_enter(writer, 1, LOOP);
	sample(writer, 1, IN_WORKERS_FIRST, 24);
	sample(writer, 1, IN_WORKERS_SECOND, 6);
	writer_leave(writer, 1, LOOP);
	writer_enter(writer, 1, PARALLEL_BARRIER);
	sample(writer, 1, IN_WAIT, 20);
	sample(writer, 1, UNDEFINED, n == 2 ? 3 : 0);
	writer_enter(writer, 0, PARALLEL_BARRIER);
	for (int t = 0; t < 2; t++) {
		writer->now[t] = writer->now[n > 16 ? 0 : 1] + PERIOD * MS;
		writer_leave(writer, t, PARALLEL_BARRIER);
	}
	OTF2_EvtWriter_CallingContextLeave(events, NULL, writer->now[0], IN_PARALLEL);
	writer_leave(writer, 1, PARALLEL);
	for (int t = 0; t < 2; t++)
		OTF2_EvtWriter_ThreadTeamEnd(writer->events[t], NULL, writer->now[t], 0);
	OTF2_EvtWriter_ThreadJoin(events, NULL, writer->now[0], OTF2_PARADIGM_OPENMP);
	scenario_end(writer);
}
