/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes one of several archives: make-archive SCENARIO FOLDER [N]. What must be found in them
 * stands in check-reports.py beside the scenario's name; N is a seed or a size.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive-writer.h"

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)

static void begin_program(struct writer *writer)
{
	OTF2_StringRef name = writer_string(writer, writer->program);
	OTF2_StringRef argument = writer_string(writer, "--size=1000");

	OTF2_EvtWriter_ProgramBegin(writer->events[0], NULL, writer->now[0], name, 1, &argument);
}

static void end_program(struct writer *writer)
{
	OTF2_EvtWriter_ProgramEnd(writer->events[0], NULL, writer->now[0], 0);
}

/*
 * Four threads, a loop in which thread t works (t + 1) x 10 ms, twice; 20 ms serial before and
 * after. The loop takes 40 ms each time; fork and join take 1 ms each.
 */
static void uneven(struct writer *writer, long n)
{
	(void)n;
	begin_program(writer);
	writer_work(writer, 0, 20 * MS);
	for (int step = 0; step < 2; step++) {
		writer_fork(writer, 0, 4, 0, PARALLEL, 1 * MS);
		for (int t = 0; t < 4; t++) {
			writer_enter(writer, t, LOOP);
			writer_work(writer, t, (uint64_t)(t + 1) * 10 * MS);
		}
		writer_barrier(writer, 0, 4, LOOP_BARRIER);
		for (int t = 0; t < 4; t++)
			writer_leave(writer, t, LOOP);
		writer_join(writer, 0, 4, 0, PARALLEL, PARALLEL_BARRIER, 1 * MS);
	}
	writer_work(writer, 0, 20 * MS);
	end_program(writer);
}

/* n threads, up to 4, share 240 ms of a loop evenly, after 60 ms of serial work; n = 3 has one slow
 * thread. */
static void scaled(struct writer *writer, long n)
{
	begin_program(writer);
	writer_work(writer, 0, 60 * MS);
	writer_fork(writer, 0, (int)n, 0, PARALLEL, 0);
	for (int t = 0; t < n; t++) {
		writer_enter(writer, t, LOOP);
		writer_work(writer, t, 240 * MS / (uint64_t)n + (n == 3 && t == 2 ? 60 * MS : 0));
	}
	writer_barrier(writer, 0, (int)n, LOOP_BARRIER);
	for (int t = 0; t < n; t++)
		writer_leave(writer, t, LOOP);
	writer_join(writer, 0, (int)n, 0, PARALLEL, PARALLEL_BARRIER, 0);
	end_program(writer);
}

/* The same with the loop at another line. */
static void moved(struct writer *writer, long n)
{
	(void)n;
	begin_program(writer);
	writer_work(writer, 0, 60 * MS);
	writer_fork(writer, 0, 4, 0, PARALLEL, 0);
	for (int t = 0; t < 4; t++)
		writer_region(writer, t, LOOP_NOWAIT, 60 * MS);
	writer_join(writer, 0, 4, 0, PARALLEL, PARALLEL_BARRIER, 0);
	end_program(writer);
}

/*
 * Two threads: the critical's body takes 10 ms; both arrive at once, so the second waits 10 ms.
 * Then a lock, which thread 1 holds 5 ms while thread 0 waits 3 ms of them.
 */
static void contention(struct writer *writer, long n)
{
	uint64_t start;

	(void)n;
	begin_program(writer);
	writer_fork(writer, 0, 2, 0, PARALLEL, 0);
	start = writer->now[0];
	writer_critical(writer, 0, start, 7, 10 * MS);
	writer_critical(writer, 1, start + 10 * MS, 7, 10 * MS);
	writer_barrier(writer, 0, 2, BARRIER);

	writer_enter(writer, 1, SET_LOCK);
	OTF2_EvtWriter_ThreadAcquireLock(
	    writer->events[1], NULL, writer->now[1], OTF2_PARADIGM_OPENMP, 9, 1);
	writer_leave(writer, 1, SET_LOCK);
	writer_work(writer, 1, 5 * MS);
	writer_enter(writer, 1, UNSET_LOCK);
	OTF2_EvtWriter_ThreadReleaseLock(
	    writer->events[1], NULL, writer->now[1], OTF2_PARADIGM_OPENMP, 9, 1);
	writer_leave(writer, 1, UNSET_LOCK);

	writer_work(writer, 0, 2 * MS);
	writer_enter(writer, 0, SET_LOCK);
	writer_work(writer, 0, 3 * MS);
	OTF2_EvtWriter_ThreadAcquireLock(
	    writer->events[0], NULL, writer->now[0], OTF2_PARADIGM_OPENMP, 9, 2);
	writer_leave(writer, 0, SET_LOCK);
	writer_work(writer, 0, 1 * MS);
	writer_enter(writer, 0, UNSET_LOCK);
	OTF2_EvtWriter_ThreadReleaseLock(
	    writer->events[0], NULL, writer->now[0], OTF2_PARADIGM_OPENMP, 9, 2);
	writer_leave(writer, 0, UNSET_LOCK);
	writer_join(writer, 0, 2, 0, PARALLEL, PARALLEL_BARRIER, 0);
	end_program(writer);
}

/*
 * Two threads and a critical's lock. Thread 0 enters while it is free and has not got it yet when
 * thread 1 takes it and gives it back; then thread 0 holds it, and thread 1 comes once more.
 */
static void overtaken(struct writer *writer, long n)
{
	(void)n;
	begin_program(writer);
	writer_fork(writer, 0, 2, 0, PARALLEL, 0);
	writer_work(writer, 1, 1 * MS);
	writer_critical(writer, 1, 0, 7, 2 * MS);
	writer_critical(writer, 0, writer->now[1] + 1 * MS, 7, 4 * MS);
	writer_work(writer, 1, 2 * MS);
	writer_critical(writer, 1, writer->now[0], 7, 1 * MS);
	writer_join(writer, 0, 2, 0, PARALLEL, PARALLEL_BARRIER, 0);
	end_program(writer);
}

/*
 * Two threads. Thread 0 creates tasks 1 and 2 in a single (1 ms each) and one that is not deferred
 * (task 3, 2 ms). Thread 1 executes task 1 in the single's barrier: 10 ms, then suspends it in a
 * taskwait for 4 ms, of which task 2 takes 3; task 1 ends on thread 0 (untied), after 5 ms more.
 */
static void tasks(struct writer *writer, long n)
{
	(void)n;
	begin_program(writer);
	writer_fork(writer, 0, 2, 0, PARALLEL, 0);
	writer_enter(writer, 0, SINGLE);
	writer_enter(writer, 0, SINGLE_BLOCK);
	writer_task_create(writer, 0, 1, 1 * MS);
	writer_task_create(writer, 0, 2, 1 * MS);
	writer_enter(writer, 0, TASK_CREATE);
	OTF2_EvtWriter_ThreadTaskCreate(writer->events[0], NULL, writer->now[0], 0, 0, 3);
	writer_task_switch(writer, 0, 3);
	writer_region(writer, 0, TASK, 2 * MS);
	writer_task_complete(writer, 0, 3);
	writer_task_switch(writer, 0, 0);
	writer_leave(writer, 0, TASK_CREATE);
	writer_leave(writer, 0, SINGLE_BLOCK);

	writer_enter(writer, 1, SINGLE);
	writer_enter(writer, 1, SINGLE_BARRIER);
	writer_work(writer, 1, 1 * MS);
	writer_task_switch(writer, 1, 1);
	writer_enter(writer, 1, TASK);
	writer_work(writer, 1, 10 * MS);
	writer_enter(writer, 1, TASK_WAIT);
	writer_work(writer, 1, 1 * MS);
	writer_task_switch(writer, 1, 2);
	writer_region(writer, 1, TASK, 3 * MS);
	writer_task_complete(writer, 1, 2);
	writer_task_switch(writer, 1, 1);
	writer_leave(writer, 1, TASK_WAIT);
	writer_task_switch(writer, 1, 0);

	writer_enter(writer, 0, SINGLE_BARRIER);
	writer_work(writer, 0, 20 * MS);
	writer_task_switch(writer, 0, 1);
	writer_work(writer, 0, 5 * MS);
	writer_leave(writer, 0, TASK);
	writer_task_complete(writer, 0, 1);
	writer_task_switch(writer, 0, 0);
	writer_work(writer, 0, 1 * MS);
	writer->now[1] = writer->now[0];
	for (int t = 0; t < 2; t++) {
		writer_leave(writer, t, SINGLE_BARRIER);
		writer_leave(writer, t, SINGLE);
	}
	writer_join(writer, 0, 2, 0, PARALLEL, PARALLEL_BARRIER, 0);
	end_program(writer);
}

/*
 * Three threads, 45 ms; what check-tables.py says of the critical path stands here, from the end
 * on: 4 serial, 1 join; 1 until thread 0 sees the barrier's end, which thread 1 held up with 10 of
 * a task that it took 2 after thread 0 had begun to create it; 1 work of thread 0, 1 barrier to
 * which it came last, for it had 3 of a critical, got 1 after thread 1 gave it back, which had it
 * for 6 from the end of a loop on, in which thread 2 worked 9; 1 fork, 5 serial.
 */
static void path(struct writer *writer, long n)
{
	static const uint64_t loop[] = {2 * MS, 4 * MS, 9 * MS};

	(void)n;
	begin_program(writer);
	writer_work(writer, 0, 5 * MS);
	writer_fork(writer, 0, 3, 0, PARALLEL, 1 * MS);
	for (int t = 0; t < 3; t++) {
		writer_enter(writer, t, LOOP);
		writer_work(writer, t, loop[t]);
	}
	writer_barrier(writer, 0, 3, LOOP_BARRIER);
	for (int t = 0; t < 3; t++)
		writer_leave(writer, t, LOOP);

	writer_critical(writer, 1, 0, 7, 6 * MS);
	writer_work(writer, 0, 1 * MS);
	writer_critical(writer, 0, writer->now[1] + 1 * MS, 7, 3 * MS);
	for (int t = 0; t < 3; t++)
		writer_enter(writer, t, BARRIER);
	writer->now[0] += 1 * MS;
	for (int t = 0; t < 3; t++) {
		writer->now[t] = writer->now[0];
		writer_leave(writer, t, BARRIER);
	}

	writer_enter(writer, 1, PARALLEL_BARRIER);
	writer_enter(writer, 2, PARALLEL_BARRIER);
	writer_work(writer, 0, 1 * MS);
	writer_task_create(writer, 0, 1, 1 * MS);
	writer_work(writer, 0, 2 * MS);
	writer_enter(writer, 0, PARALLEL_BARRIER);
	writer_work(writer, 1, 3 * MS);
	writer_task_switch(writer, 1, 1);
	writer_region(writer, 1, TASK, 10 * MS);
	writer_task_complete(writer, 1, 1);
	writer_task_switch(writer, 1, 0);
	writer_work(writer, 1, 1 * MS);
	for (int t = 0; t < 3; t++) {
		writer->now[t] = writer->now[1];
		writer_leave(writer, t, PARALLEL_BARRIER);
		writer_leave(writer, t, PARALLEL);
		OTF2_EvtWriter_ThreadTeamEnd(writer->events[t], NULL, writer->now[t], 0);
	}
	writer_work(writer, 0, 1 * MS);
	OTF2_EvtWriter_ThreadJoin(writer->events[0], NULL, writer->now[0], OTF2_PARADIGM_OPENMP);
	writer_work(writer, 0, 4 * MS);
	end_program(writer);
}

/* Two threads, of which each forks two: 0 with 1, 2 with 3. Inner thread t works (t + 1) x 10 ms.
 */
static void nested(struct writer *writer, long n)
{
	(void)n;
	begin_program(writer);
	OTF2_EvtWriter_ThreadFork(writer->events[0], NULL, writer->now[0], OTF2_PARADIGM_OPENMP, 2);
	for (int t = 0; t < 4; t += 2) {
		OTF2_EvtWriter_ThreadTeamBegin(writer->events[t], NULL, writer->now[t], 4);
		writer_enter(writer, t, PARALLEL);
	}
	for (int t = 0; t < 4; t += 2) {
		writer_fork(writer, t, 2, (OTF2_CommRef)(t + 1), INNER, 0);
		writer_work(writer, t, (uint64_t)(t + 1) * 10 * MS);
		writer_work(writer, t + 1, (uint64_t)(t + 2) * 10 * MS);
		writer_join(writer, t, 2, (OTF2_CommRef)(t + 1), INNER, INNER_BARRIER, 0);
	}
	writer_enter(writer, 0, PARALLEL_BARRIER);
	writer->now[0] = writer->now[2];
	writer_enter(writer, 2, PARALLEL_BARRIER);
	for (int t = 0; t < 4; t += 2) {
		writer_leave(writer, t, PARALLEL_BARRIER);
		writer_leave(writer, t, PARALLEL);
		OTF2_EvtWriter_ThreadTeamEnd(writer->events[t], NULL, writer->now[t], 4);
	}
	OTF2_EvtWriter_ThreadJoin(writer->events[0], NULL, writer->now[0], OTF2_PARADIGM_OPENMP);
	end_program(writer);
}

/* Two processes of two threads: 10 ms serial, then thread t of each works (t + 1) x 10 ms. */
static void ranks(struct writer *writer, long n)
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

/* What other makers write: no teams, MPI, metrics and kinds of events that we do not know. */
static void foreign(struct writer *writer, long n)
{
	OTF2_Type type = OTF2_TYPE_UINT64;
	OTF2_MetricValue value = {.unsigned_int = 5};

	(void)n;
	for (int t = 0; t < 2; t++) {
		writer_enter(writer, t, MAIN);
		OTF2_EvtWriter_Metric(writer->events[t], NULL, writer->now[t], 0, 1, &type, &value);
		writer_work(writer, t, 5 * MS);
		OTF2_EvtWriter_MpiSend(writer->events[t], NULL, writer->now[t], 1, 0, 0, 8);
		OTF2_EvtWriter_MpiCollectiveBegin(writer->events[t], NULL, writer->now[t]);
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

/* The program's own account of its measuring; n = 2 has one that is no number. */
static void accounted(struct writer *writer, long n)
{
	OTF2_Archive_SetProperty(writer->archive, "POMP::LOST_EVENTS", n == 2 ? "-3" : "17", true);
	OTF2_Archive_SetProperty(
	    writer->archive, "POMP::EVENT_COST_NS", n == 2 ? "12 ns" : "4960000", true);
	uneven(writer, n);
}

/* Breaks nearly every rule of `ompreport check`, each as often as check-tables.py says. */
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

static void broken(struct writer *writer, long n)
{
	OTF2_EvtWriter *one = writer->events[0], *other = writer->events[1];

	(void)n;
	begin_program(writer); /* and never ends it */
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
	/* Thread 1 takes lock 5 while 0 holds it; nobody holds 6; 7 stays held. */
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
	OTF2_EvtWriter_MpiSend(other, NULL, writer->now[1], 1, 0, 0, 8);
	break_promises(writer);
	writer_enter(writer, 1, LOOP); /* open to the end, and without metrics */
}

static void nothing(struct writer *writer, long n)
{
	(void)writer, (void)n;
}

/* uneven() by a program whose source is MAKE_ARCHIVE_SOURCE. */
static void sourced(struct writer *writer, long n)
{
	const char *source = getenv("MAKE_ARCHIVE_SOURCE");

	writer->source = source ? source : "/nowhere/at/all.c";
	uneven(writer, n);
}

/* Names that try to get out of a page, a terminal and a CSV file. */
static void names(struct writer *writer, long n)
{
	writer->source = "/src/<script>alert(1)</script>/\"quote\",\n\x1b[31m&amp;'\xff\xfe.c";
	writer->program = "./a.out <img src=x onerror=alert(2)> ]]> </style> \"'";
	uneven(writer, n);
}

/* n parallel regions with a loop and a critical on 8 threads: 8 x n x 12 events, for speed. */
static void large(struct writer *writer, long n)
{
	begin_program(writer);
	for (long step = 0; step < n; step++) {
		writer_fork(writer, 0, 8, 0, PARALLEL, 1 * US);
		for (int t = 0; t < 8; t++) {
			writer_enter(writer, t, LOOP);
			writer_work(
			    writer, t, 10 * US + (uint64_t)((t * 37 + step * 11) % 50) * US / 10);
			writer_critical(writer, t, writer->now[t] + (uint64_t)t * 100, 1, 50);
		}
		writer_barrier(writer, 0, 8, LOOP_BARRIER);
		for (int t = 0; t < 8; t++)
			writer_leave(writer, t, LOOP);
		writer_join(writer, 0, 8, 0, PARALLEL, PARALLEL_BARRIER, 1 * US);
		writer_work(writer, 0, 3 * US);
	}
	end_program(writer);
}

/* One parallel region with n different loops on four threads, 1 us each. */
static void many(struct writer *writer, long n)
{
	writer->more_loops = (uint32_t)n;
	writer_fork(writer, 0, 4, 0, PARALLEL, 0);
	for (int t = 0; t < 4; t++) {
		for (long i = 0; i < n; i++)
			writer_region(writer, t, (enum region)(REGIONS + i), 1 * US);
	}
	writer_join(writer, 0, 4, 0, PARALLEL, PARALLEL_BARRIER, 0);
}

/* A team of 1,200 threads; thread t works t + 1 us. */
static void wide(struct writer *writer, long n)
{
	(void)n;
	begin_program(writer);
	writer_fork(writer, 0, writer->threads, 0, PARALLEL, 0);
	for (int t = 0; t < writer->threads; t++)
		writer_region(writer, t, LOOP_NOWAIT, (uint64_t)(t + 1) * US);
	writer_join(writer, 0, writer->threads, 0, PARALLEL, PARALLEL_BARRIER, 0);
	end_program(writer);
}

/* Simple generator: the same numbers on every machine. */
static uint64_t random_below(uint64_t *state, uint64_t limit)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (*state >> 33) % limit;
}

/* Constructs by chance, in n-th different ways: for the comparison with the independent reader. */
static void mixed_work(struct writer *writer, int threads, uint64_t *state)
{
	static const enum region plain[] = {MASTER, ATOMIC, MAIN};

	switch (random_below(state, 6)) {
	case 0:
		for (int t = 0; t < threads; t++) {
			writer_enter(writer, t, LOOP);
			writer_work(writer, t, random_below(state, 1000 * US));
		}
		writer_barrier(writer, 0, threads, LOOP_BARRIER);
		for (int t = 0; t < threads; t++)
			writer_leave(writer, t, LOOP);
		break;
	case 1:
		for (int t = 0; t < threads; t++)
			writer_region(writer, t, LOOP_NOWAIT, random_below(state, 1000 * US));
		break;
	case 2:
		for (int t = 0; t < threads; t++)
			writer_critical(writer, t, writer->now[t] + random_below(state, 50 * US), 3,
			    random_below(state, 100 * US));
		break;
	case 3:
		writer_barrier(writer, 0, threads, BARRIER);
		break;
	case 4:
		for (int t = 0; t < threads; t++) {
			writer_enter(writer, t, MAIN);
			writer_region(writer, t, plain[random_below(state, 3)],
			    random_below(state, 100 * US));
			writer_work(writer, t, random_below(state, 10 * US));
			writer_leave(writer, t, MAIN);
		}
		break;
	default:
		for (int t = 0; t < threads; t++) {
			writer_enter(writer, t, SECTIONS);
			for (uint64_t i = random_below(state, 3); i > 0; i--)
				writer_region(writer, t, SECTION, random_below(state, 200 * US));
		}
		writer_barrier(writer, 0, threads, SECTIONS_BARRIER);
		for (int t = 0; t < threads; t++)
			writer_leave(writer, t, SECTIONS);
	}
}

static void mixed(struct writer *writer, long n)
{
	uint64_t state = (uint64_t)n;

	begin_program(writer);
	for (int step = 0; step < 40; step++) {
		writer_work(writer, 0, random_below(&state, 100 * US));
		writer_fork(writer, 0, writer->threads, 0, PARALLEL, random_below(&state, 10 * US));
		for (uint64_t i = random_below(&state, 6); i > 0; i--)
			mixed_work(writer, writer->threads, &state);
		writer_join(writer, 0, writer->threads, 0, PARALLEL, PARALLEL_BARRIER,
		    random_below(&state, 10 * US));
	}
	end_program(writer);
}

static const struct {
	const char *name;
	int threads;
	void (*write)(struct writer *writer, long n);
} scenarios[] = {
    {"uneven", 4, uneven},
    {"contention", 2, contention},
    {"overtaken", 2, overtaken},
    {"tasks", 2, tasks},
    {"path", 3, path},
    {"nested", 4, nested},
    {"foreign", 2, foreign},
    {"sourced", 4, sourced},
    {"scaled", 4, scaled},
    {"moved", 4, moved},
    {"broken", 3, broken},
    {"accounted", 4, accounted},
    {"nothing", 1, nothing},
    {"names", 4, names},
    {"large", 8, large},
    {"mixed", 5, mixed},
    {"ranks", 4, ranks},
    {"many", 4, many},
    {"wide", WRITER_THREADS, wide},
};

int main(int argc, char **argv)
{
	long n = argc > 3 ? atol(argv[3]) : 1;

	for (size_t i = 0; argc > 2 && i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		static struct writer writer;

		if (strcmp(argv[1], scenarios[i].name) != 0)
			continue;
		writer_open(&writer, argv[2], scenarios[i].threads);
		scenarios[i].write(&writer, n);
		writer_close(&writer);
		return 0;
	}
	fprintf(stderr, "usage: make-archive SCENARIO FOLDER [N]\n");
	return 2;
}
