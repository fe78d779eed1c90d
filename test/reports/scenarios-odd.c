/* SPDX-License-Identifier: BSD-3-Clause */
/* What other tools write, what no tool should write, and names that try to get out of their place.
 */
#include <stdlib.h>

#include "scenarios.h"

/* What other makers write: no teams, MPI, metrics and kinds of events that we do not know. */
void scenario_foreign(struct writer *writer, long n)
{
	OTF2_Type type = OTF2_TYPE_UINT64;
	OTF2_MetricValue value = {.unsigned_int = 5};

	(void)n;
	for (int t = 0; t < 2; t++) {
		writer_enter(writer, t, MAIN);
		OTF2_EvtWriter_Metric(writer->events[t], NULL, writer->now[t], 0, 1, &type, &value);
		writer_work(writer, t, 5 * MS);
		OTF2_EvtWriter_RmaWinCreate(writer->events[t], NULL, writer->now[t], 0);
		OTF2_EvtWriter_RmaWinDestroy(writer->events[t], NULL, writer->now[t], 0);
		writer_region(writer, t, MPI_CALL, 1 * MS);
		writer_enter(writer, t, LOOP);
		writer_work(writer, t, 2 * MS);
		writer_leave(writer, t, LOOP);
		writer_leave(writer, t, MAIN);
		/* Definitions that are missing, a leave too much. */
		OTF2_EvtWriter_Enter(writer->events[t], NULL, writer->now[t], 4711);
		writer_work(writer, t, 1 * MS);
		OTF2_EvtWriter_Leave(writer->events[t], NULL, writer->now[t], 4711);
		writer_leave(writer, t, LOOP);
	}
}

/* Another maker puts a region around all that each of its threads does. */
void scenario_wrapped(struct writer *writer, long n)
{
	(void)n;
	for (int t = 0; t < 2; t++)
		writer_enter(writer, t, MAIN);
	writer_work(writer, 0, 2 * MS);
	writer_work(writer, 1, 3 * MS);
	OTF2_EvtWriter_ThreadFork(writer->events[0], NULL, writer->now[0], OTF2_PARADIGM_OPENMP, 2);
	for (int t = 1; t >= 0; t--) {
		writer_work(writer, t, 1 * MS);
		OTF2_EvtWriter_ThreadTeamBegin(writer->events[t], NULL, writer->now[t], 1);
		writer_work(writer, t, 4 * MS);
		OTF2_EvtWriter_ThreadTeamEnd(writer->events[t], NULL, writer->now[t], 1);
	}
	writer_work(writer, 0, 2 * MS);
	OTF2_EvtWriter_ThreadJoin(writer->events[0], NULL, writer->now[0], OTF2_PARADIGM_OPENMP);
	writer_work(writer, 0, 1 * MS);
	writer_work(writer, 1, 2 * MS);
	for (int t = 0; t < 2; t++)
		writer_leave(writer, t, MAIN);
}

/* The program's own account of its measuring; n = 2 has one that is no number. */
void scenario_accounted(struct writer *writer, long n)
{
	OTF2_Archive_SetProperty(writer->archive, "POMP::LOST_EVENTS", n == 2 ? "-3" : "17", true);
	OTF2_Archive_SetProperty(
	    writer->archive, "POMP::EVENT_COST_NS", n == 2 ? "12 ns" : "4960000", true);
	scenario_uneven(writer, n);
}

/* What is missing of metrics, numbers and members, and what viewers need. */
static void break_promises(struct writer *writer)
{
	OTF2_StringRef name = writer_string(writer, "faults");
	OTF2_MetricMemberRef member = 1; /* not 0 */
	OTF2_EvtWriter *other = writer->events[1], *third = writer->events[2];

	writer->bare = true;
	OTF2_GlobalDefWriter_WriteMetricMember(writer->definitions, member, name, name,
	    OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
	    OTF2_BASE_DECIMAL, 0, name);
	OTF2_GlobalDefWriter_WriteMetricClass(writer->definitions, 0, 1, &member,
	    OTF2_METRIC_SYNCHRONOUS_STRICT, OTF2_RECORDER_KIND_CPU);
	OTF2_EvtWriter_Metric(other, NULL, writer->now[1], 0, 1, &(OTF2_Type){OTF2_TYPE_UINT64},
	    &(OTF2_MetricValue){.unsigned_int = 1});
	writer_region(writer, 1, LOOP_NOWAIT, 1); /* its leave has none */
	/* Lock 8 has its second acquisition first. */
	for (uint32_t order = 2; order > 0; order--) {
		OTF2_EvtWriter_ThreadAcquireLock(
		    other, NULL, writer->now[1], OTF2_PARADIGM_OPENMP, 8, order);
		writer_work(writer, 1, 1);
		OTF2_EvtWriter_ThreadReleaseLock(
		    other, NULL, writer->now[1], OTF2_PARADIGM_OPENMP, 8, order);
	}
	/* Team 1 is threads 0 and 1. */
	OTF2_EvtWriter_ThreadTeamBegin(third, NULL, writer->now[2], 1);
	OTF2_EvtWriter_ThreadTeamEnd(third, NULL, writer->now[2], 1);
}

/* Breaks nearly every rule of `ompreport check`, each as often as check-tables.py says. */
void scenario_broken(struct writer *writer, long n)
{
	OTF2_EvtWriter *one = writer->events[0], *other = writer->events[1];

	(void)n;
	scenario_begin(writer); /* and never ends it */
	OTF2_EvtWriter_ThreadJoin(one, NULL, writer->now[0], OTF2_PARADIGM_OPENMP);
	OTF2_EvtWriter_ThreadFork(one, NULL, writer->now[0], OTF2_PARADIGM_OPENMP, 2);
	OTF2_EvtWriter_ThreadTeamBegin(one, NULL, writer->now[0], 0);
	OTF2_EvtWriter_ThreadTeamEnd(one, NULL, writer->now[0], 1);
	writer_enter(writer, 0, MAIN);
	writer_enter(writer, 0, LOOP);
	writer_work(writer, 0, 1 * MS);
	writer_leave(writer, 0, MAIN); /* with the loop */
	writer_leave(writer, 0, LOOP);
	OTF2_EvtWriter_Enter(one, NULL, writer->now[0], 4711);
	OTF2_EvtWriter_Leave(one, NULL, writer->now[0], 4711);
	/* Thread 1 takes lock 5 while 0 holds it; 6 is not held; 7 stays held. */
	OTF2_EvtWriter_ThreadAcquireLock(one, NULL, writer->now[0], OTF2_PARADIGM_OPENMP, 5, 1);
	writer_work(writer, 1, 2 * MS);
	OTF2_EvtWriter_ThreadAcquireLock(other, NULL, writer->now[1], OTF2_PARADIGM_OPENMP, 5, 2);
	writer_work(writer, 0, 2 * MS);
	OTF2_EvtWriter_ThreadReleaseLock(one, NULL, writer->now[0], OTF2_PARADIGM_OPENMP, 5, 1);
	writer_work(writer, 1, 2 * MS);
	OTF2_EvtWriter_ThreadReleaseLock(other, NULL, writer->now[1], OTF2_PARADIGM_OPENMP, 5, 2);
	OTF2_EvtWriter_ThreadReleaseLock(other, NULL, writer->now[1], OTF2_PARADIGM_OPENMP, 6, 1);
	OTF2_EvtWriter_ThreadAcquireLock(other, NULL, writer->now[1], OTF2_PARADIGM_OPENMP, 7, 1);
	/* Task 1 completes with a region open, task 2 is created only, task 3 completes unseen. */
	writer_task_create(writer, 1, 1, 0);
	writer_task_create(writer, 1, 2, 0);
	writer_task_switch(writer, 1, 1);
	writer_enter(writer, 1, TASK);
	writer_task_complete(writer, 1, 1);
	writer_task_complete(writer, 1, 3);
	writer_task_switch(writer, 1, 0);
	OTF2_EvtWriter_RmaWinCreate(other, NULL, writer->now[1], 0);
	break_promises(writer);
	writer_enter(writer, 1, LOOP); /* open to the end, and without metrics */
}

void scenario_nothing(struct writer *writer, long n)
{
	(void)writer, (void)n;
}

/*
 * scenario_uneven(), with n > 1 scenario_mixed() and with n > 100 scenario_many(), by a program
 * whose source is MAKE_ARCHIVE_SOURCE.
 */
void scenario_sourced(struct writer *writer, long n)
{
	const char *source = getenv("MAKE_ARCHIVE_SOURCE");

	writer->source = writer->more_source = source ? source : "/nowhere/at/all.c";
	if (n > 100)
		scenario_many(writer, n);
	else if (n > 1)
		scenario_mixed(writer, n);
	else
		scenario_uneven(writer, n);
}

/* Names that try to get out of a page, a terminal and a CSV file. */
void scenario_names(struct writer *writer, long n)
{
	static const char *const threads[] = {"=HYPERLINK(\"//x\";\"thread\")",
	    "\x1b]0;title\x07\xc2\x9b"
	    "31m+",
	    "-2+3", NULL};

	writer->thread_names = threads;
	writer->source = "/src/<script>alert(1)</script>/\"quote\",\n\x1b[31m&amp;'\xff\xfe.c";
	writer->program = "./a.out <img src=x onerror=alert(2)> ]]> </style> \"'";
	scenario_uneven(writer, n);
}

/* A class with one metric, defined before it. */
static void define_metric(struct writer *writer, OTF2_MetricRef class, OTF2_MetricMemberRef member,
    const char *name, OTF2_MetricMode mode, OTF2_Type type)
{
	OTF2_StringRef ref = writer_string(writer, name);

	OTF2_GlobalDefWriter_WriteMetricClass(writer->definitions, class, 1, &member,
	    OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
	OTF2_GlobalDefWriter_WriteMetricMember(writer->definitions, member, ref, ref,
	    OTF2_METRIC_TYPE_OTHER, mode, type, OTF2_BASE_DECIMAL, 0, ref);
}

enum { INSTANCE_OF_THREAD, INSTANCE_OF_NODE, CLASS_ENERGY, CLASS_TEMPERATURE };

static void define_sensors(struct writer *writer)
{
	OTF2_LocationRef recorder = (OTF2_LocationRef)writer->threads - 1;

	OTF2_GlobalDefWriter_WriteMetricInstance(writer->definitions, INSTANCE_OF_THREAD,
	    CLASS_ENERGY, recorder, OTF2_SCOPE_LOCATION, 0);
	OTF2_GlobalDefWriter_WriteMetricInstance(writer->definitions, INSTANCE_OF_NODE,
	    CLASS_TEMPERATURE, recorder, OTF2_SCOPE_SYSTEM_TREE_NODE, 0);
	define_metric(writer, CLASS_ENERGY, 1, "microjoules", OTF2_METRIC_ACCUMULATED_START,
	    OTF2_TYPE_UINT64);
	define_metric(writer, CLASS_TEMPERATURE, 0, "temperature", OTF2_METRIC_ABSOLUTE_POINT,
	    OTF2_TYPE_DOUBLE);
}

static void record(
    struct writer *writer, OTF2_MetricRef metric, OTF2_Type type, OTF2_MetricValue value)
{
	int recorder = writer->threads - 1;

	OTF2_EvtWriter_Metric(
	    writer->events[recorder], NULL, writer->now[recorder], metric, 1, &type, &value);
}

/*
 * Two threads, a stream of an accelerator that is busy for long after they have ended, and a
 * recorder of metrics: what thread 0 consumed, of which the loop's 10 ms have 30 uJ, and the
 * machine's temperature. n = 2: none of them is a thread.
 */
void scenario_accelerated(struct writer *writer, long n)
{
	int stream = writer->threads - 2, recorder = writer->threads - 1;

	writer->others = n == 2 ? writer->threads : 2;
	writer->backwards = true;
	writer->define_more = define_sensors;
	scenario_begin(writer);
	for (int t = 0; t < 2; t++) {
		writer_work(writer, t, 2 * MS);
		writer_region(writer, t, LOOP, 10 * MS);
		writer_work(writer, t, 1 * MS);
	}
	scenario_end(writer);
	writer_work(writer, stream, 1 * MS);
	writer_region(writer, stream, MAIN, 500 * MS);
	writer_work(writer, recorder, 1 * MS);
	for (uint64_t used = 1000; used <= 1040; used += 10) {
		record(writer, INSTANCE_OF_THREAD, OTF2_TYPE_UINT64,
		    (OTF2_MetricValue){.unsigned_int = used});
		record(writer, INSTANCE_OF_NODE, OTF2_TYPE_DOUBLE,
		    (OTF2_MetricValue){.floating_point = 36.5 + (double)(used - 1000) / 80});
		writer_work(writer, recorder, 3 * MS);
	}
}

enum { CONTEXT_LOOP, CONTEXT_FUNCTION };

/* The loop, and a function without a region of its own that it calls. */
static void define_contexts(struct writer *writer)
{
	OTF2_StringRef name = writer_string(writer, "interrupts");

	OTF2_GlobalDefWriter_WriteCallingContext(writer->definitions, CONTEXT_LOOP, LOOP,
	    OTF2_UNDEFINED_SOURCE_CODE_LOCATION, OTF2_UNDEFINED_CALLING_CONTEXT);
	OTF2_GlobalDefWriter_WriteCallingContext(writer->definitions, CONTEXT_FUNCTION, MAIN,
	    OTF2_UNDEFINED_SOURCE_CODE_LOCATION, CONTEXT_LOOP);
	OTF2_GlobalDefWriter_WriteInterruptGenerator(writer->definitions, 0, name,
	    OTF2_INTERRUPT_GENERATOR_MODE_TIME, OTF2_BASE_DECIMAL, -3, 1);
}

/*
 * As with Score-P's unwinding: thread t is in the loop for 10 ms, which its events name by calling
 * contexts, and is interrupted n + t times; one event is of a kind that we do not know.
 */
void scenario_sampled(struct writer *writer, long n)
{
	writer->define_more = define_contexts;
	scenario_begin(writer);
	for (int t = 0; t < writer->threads; t++) {
		OTF2_EvtWriter *events = writer->events[t];

		OTF2_EvtWriter_CallingContextEnter(events, NULL, writer->now[t], CONTEXT_LOOP, 2);
		for (long i = 0; i < n + t; i++)
			OTF2_EvtWriter_CallingContextSample(
			    events, NULL, writer->now[t], CONTEXT_FUNCTION, 2, 0);
		writer_work(writer, t, 10 * MS);
		OTF2_EvtWriter_CallingContextLeave(events, NULL, writer->now[t], CONTEXT_LOOP);
	}
	OTF2_EvtWriter_RmaWinCreate(writer->events[1], NULL, writer->now[1], 0);
	OTF2_EvtWriter_MeasurementOnOff(
	    writer->events[1], NULL, writer->now[1], OTF2_MEASUREMENT_ON);
	scenario_end(writer);
}

/* n regions within each other. */
void scenario_deep(struct writer *writer, long n)
{
	for (long i = 0; i < n; i++) {
		writer_enter(writer, 0, i % 2 ? MAIN : MASTER);
		writer_work(writer, 0, 1000);
	}
	for (long i = n; i-- > 0;)
		writer_leave(writer, 0, i % 2 ? MAIN : MASTER);
}
