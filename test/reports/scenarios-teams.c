/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams that share loops, nested ones, and threads that wait at criticals and locks. */
#include "scenarios.h"

/*
 * Four threads, a loop in which thread t works (t + 1) x 10 ms, twice; 20 ms serial before and
 * after. The loop takes 40 ms each time; fork and join take 1 ms each.
 */
void scenario_uneven(struct writer *writer, long n)
{
	(void)n;
	scenario_begin(writer);
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
	scenario_end(writer);
}

/* Four threads, three times: thread 0 is 20 ms in a master, all work 10 ms, and meet at a barrier.
 */
void scenario_masters(struct writer *writer, long n)
{
	(void)n;
	scenario_begin(writer);
	writer_fork(writer, 0, 4, 0, PARALLEL, 0);
	for (int step = 0; step < 3; step++) {
		writer_region(writer, 0, MASTER, 20 * MS);
		for (int t = 0; t < 4; t++)
			writer_work(writer, t, 10 * MS);
		writer_barrier(writer, 0, 4, BARRIER);
	}
	writer_join(writer, 0, 4, 0, PARALLEL, PARALLEL_BARRIER, 0);
	scenario_end(writer);
}

/* Two threads; the first one executes n sections of 20 ms in all, the other one none. */
void scenario_sections(struct writer *writer, long n)
{
	scenario_begin(writer);
	writer_fork(writer, 0, 2, 0, PARALLEL, 0);
	for (int t = 0; t < 2; t++)
		writer_enter(writer, t, SECTIONS);
	for (long i = 0; i < n; i++)
		writer_region(writer, 0, SECTION, 20 * MS / (uint64_t)n);
	writer_barrier(writer, 0, 2, SECTIONS_BARRIER);
	for (int t = 0; t < 2; t++)
		writer_leave(writer, t, SECTIONS);
	writer_join(writer, 0, 2, 0, PARALLEL, PARALLEL_BARRIER, 0);
	scenario_end(writer);
}

/*
 * Four threads, twenty times within one region: thread 2 works 5 ms before an explicit barrier, the
 * others 1 ms, so that all of them leave it at once; then a loop in which thread 1 works 3 ms, the
 * others 1 ms. Of n = 2, thread 2 waits its 5 ms in a critical for thread 3, which works there.
 */
void scenario_latecomers(struct writer *writer, long n)
{
	scenario_begin(writer);
	writer_fork(writer, 0, 4, 0, PARALLEL, 0);
	for (int step = 0; step < 20; step++) {
		if (n == 2) {
			writer_critical(writer, 3, writer->now[3], 7, 4 * MS);
			writer_critical(writer, 2, writer->now[3], 7, 1 * MS);
		} else {
			writer_work(writer, 2, 4 * MS);
		}
		for (int t = 0; t < 4; t++)
			writer_work(writer, t, n == 2 && t > 1 ? 0 : 1 * MS);
		writer_barrier(writer, 0, 4, BARRIER);
		for (int t = 0; t < 4; t++) {
			writer_enter(writer, t, LOOP);
			writer_work(writer, t, t == 1 ? 3 * MS : 1 * MS);
		}
		writer_barrier(writer, 0, 4, LOOP_BARRIER);
		for (int t = 0; t < 4; t++)
			writer_leave(writer, t, LOOP);
	}
	writer_join(writer, 0, 4, 0, PARALLEL, PARALLEL_BARRIER, 0);
	scenario_end(writer);
}

/*
 * The same parallel region twice. First thread 0 alone executes the loop, for 1 ms: measurement was
 * off for the other. Then both do, for 3 and 1 ms.
 */
void scenario_partial(struct writer *writer, long n)
{
	(void)n;
	scenario_begin(writer);
	for (int step = 0; step < 2; step++) {
		writer_fork(writer, 0, 2, 0, PARALLEL, 0);
		writer_region(writer, 0, LOOP_NOWAIT, step == 0 ? 1 * MS : 3 * MS);
		if (step == 1)
			writer_region(writer, 1, LOOP_NOWAIT, 1 * MS);
		writer_join(writer, 0, 2, 0, PARALLEL, PARALLEL_BARRIER, 0);
		writer_work(writer, 0, 1 * MS);
	}
	scenario_end(writer);
}

/* The same, of threads that are defined in the order in which they came. */
void scenario_unordered(struct writer *writer, long n)
{
	static const char *const names[] = {
	    "Master thread", "OMP thread 11", "OMP thread 2", "OMP thread 10", NULL};

	writer->thread_names = names;
	scenario_uneven(writer, n);
}

/* A clock of a processor: sums of times in nanoseconds differ from the whole by rounding. */
void scenario_fine(struct writer *writer, long n)
{
	writer->ticks_per_second = 2995200000;
	scenario_mixed(writer, n);
}

/* A clock of a thousand ticks a second: 20 ms serial, then 40 ms of a loop, thread t (t + 1) x 10.
 */
void scenario_coarse(struct writer *writer, long n)
{
	(void)n;
	writer->ticks_per_second = 1000;
	scenario_begin(writer);
	writer_work(writer, 0, 20);
	writer_fork(writer, 0, 4, 0, PARALLEL, 0);
	for (int t = 0; t < 4; t++) {
		writer_enter(writer, t, LOOP);
		writer_work(writer, t, (uint64_t)(t + 1) * 10);
	}
	writer_barrier(writer, 0, 4, LOOP_BARRIER);
	for (int t = 0; t < 4; t++)
		writer_leave(writer, t, LOOP);
	writer_join(writer, 0, 4, 0, PARALLEL, PARALLEL_BARRIER, 0);
	scenario_end(writer);
}

/* n threads, up to 4, share 240 ms of a loop evenly, after 60 ms of serial work; n = 3 has one slow
 * thread. */
void scenario_scaled(struct writer *writer, long n)
{
	scenario_begin(writer);
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
	scenario_end(writer);
}

/* The same with the loop at another line. */
void scenario_moved(struct writer *writer, long n)
{
	(void)n;
	scenario_begin(writer);
	writer_work(writer, 0, 60 * MS);
	writer_fork(writer, 0, 4, 0, PARALLEL, 0);
	for (int t = 0; t < 4; t++)
		writer_region(writer, t, LOOP_NOWAIT, 60 * MS);
	writer_join(writer, 0, 4, 0, PARALLEL, PARALLEL_BARRIER, 0);
	scenario_end(writer);
}

/*
 * Two threads: the critical's body takes 10 ms; both arrive at once, so the second waits 10 ms.
 * Then a lock, which thread 1 holds 5 ms while thread 0 waits 3 ms of them. n = 9: thread 1 returns
 * 1 ms after it has acquired that lock, and before all that thread 0 takes a lock for 1 ms.
 */
void scenario_contention(struct writer *writer, long n)
{
	uint64_t start;

	scenario_begin(writer);
	if (n == 9)
		writer_region(writer, 0, SET_LOCK, 1 * MS);
	writer_fork(writer, 0, 2, 0, PARALLEL, 0);
	start = writer->now[0];
	writer_critical(writer, 0, start, 7, 10 * MS);
	writer_critical(writer, 1, start + 10 * MS, 7, 10 * MS);
	writer_barrier(writer, 0, 2, BARRIER);

	writer_enter(writer, 1, SET_LOCK);
	OTF2_EvtWriter_ThreadAcquireLock(
	    writer->events[1], NULL, writer->now[1], OTF2_PARADIGM_OPENMP, 9, 1);
	if (n == 9)
		writer_work(writer, 1, 1 * MS);
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
	scenario_end(writer);
}

/*
 * Two threads and a critical's lock. Thread 0 enters while it is free and has not got it yet when
 * thread 1 takes it and gives it back; then thread 0 holds it, and thread 1 comes once more.
 */
void scenario_overtaken(struct writer *writer, long n)
{
	(void)n;
	scenario_begin(writer);
	writer_fork(writer, 0, 2, 0, PARALLEL, 0);
	writer_work(writer, 1, 1 * MS);
	writer_critical(writer, 1, 0, 7, 2 * MS);
	writer_critical(writer, 0, writer->now[1] + 1 * MS, 7, 4 * MS);
	writer_work(writer, 1, 2 * MS);
	writer_critical(writer, 1, writer->now[0], 7, 1 * MS);
	writer_join(writer, 0, 2, 0, PARALLEL, PARALLEL_BARRIER, 0);
	scenario_end(writer);
}

/*
 * Without barriers: thread 1 has done its 3 ms and ended when thread 0, which forked it, begins
 * after 5 ms; that works 1 ms, and joins 1 ms later.
 */
void scenario_late(struct writer *writer, long n)
{
	(void)n;
	scenario_begin(writer);
	OTF2_EvtWriter_ThreadFork(writer->events[0], NULL, writer->now[0], OTF2_PARADIGM_OPENMP, 2);
	for (int t = 1; t >= 0; t--) {
		writer_work(writer, t, t ? 1 * MS : 5 * MS);
		OTF2_EvtWriter_ThreadTeamBegin(writer->events[t], NULL, writer->now[t], 0);
		writer_region(writer, t, PARALLEL, t ? 3 * MS : 1 * MS);
		OTF2_EvtWriter_ThreadTeamEnd(writer->events[t], NULL, writer->now[t], 0);
	}
	writer_work(writer, 0, 1 * MS);
	OTF2_EvtWriter_ThreadJoin(writer->events[0], NULL, writer->now[0], OTF2_PARADIGM_OPENMP);
	scenario_end(writer);
}

/* Two threads, of which each forks two: 0 with 1, 2 with 3. Inner thread t works (t + 1) x 10 ms.
 */
void scenario_nested(struct writer *writer, long n)
{
	(void)n;
	scenario_begin(writer);
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
	scenario_end(writer);
}
