/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks, and the path through three threads that one of them is on. */
#include "scenarios.h"

/*
 * Two threads. Thread 0 creates tasks 1 and 2 in a single (1 ms each) and one that is not deferred
 * (task 3, 2 ms). Thread 1 executes task 1 in the single's barrier: 10 ms, then suspends it in a
 * taskwait for 4 ms, of which task 2 takes 3; task 1 ends on thread 0 (untied), after 5 ms more.
 */
void scenario_tasks(struct writer *writer, long n)
{
	(void)n;
	scenario_begin(writer);
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
	scenario_end(writer);
}

/*
 * Two threads. Thread 0 creates tasks 1, 2 and 3. Thread 1 waits 1 ms in task 1's taskwait, which
 * thread 0 goes on with 1 ms later, for 1 ms (untied); then each of them waits 2 ms in a taskwait
 * of its own.
 */
void scenario_untied(struct writer *writer, long n)
{
	(void)n;
	scenario_begin(writer);
	writer_fork(writer, 0, 2, 0, PARALLEL, 0);
	for (uint32_t task = 1; task < 4; task++)
		writer_task_create(writer, 0, task, 0);
	writer_task_switch(writer, 1, 1);
	writer_enter(writer, 1, TASK);
	writer_enter(writer, 1, TASK_WAIT);
	writer_work(writer, 1, 1 * MS);
	writer_task_switch(writer, 1, 0);
	writer->now[0] = writer->now[1] + 1 * MS;
	writer_task_switch(writer, 0, 1);
	writer_work(writer, 0, 1 * MS);
	writer_leave(writer, 0, TASK_WAIT);
	writer_leave(writer, 0, TASK);
	writer_task_complete(writer, 0, 1);
	writer_task_switch(writer, 0, 0);
	for (int t = 0; t < 2; t++) {
		writer_task_switch(writer, t, (uint32_t)t + 2);
		writer_enter(writer, t, TASK);
		writer_region(writer, t, TASK_WAIT, 2 * MS);
		writer_leave(writer, t, TASK);
		writer_task_complete(writer, t, (uint32_t)t + 2);
		writer_task_switch(writer, t, 0);
	}
	writer_join(writer, 0, 2, 0, PARALLEL, PARALLEL_BARRIER, 0);
	scenario_end(writer);
}

/*
 * Two threads, 21 ms. Thread 0 creates eight tasks of 4 ms in a single, 1 ms each, and then
 * executes some; thread 1 takes the first one 1 ms after its creation has begun, all others as soon
 * as it has ended the one before.
 */
void scenario_grove(struct writer *writer, long n)
{
	enum { TASKS = 8 };

	(void)n;
	scenario_begin(writer);
	writer_fork(writer, 0, 2, 0, PARALLEL, 0);
	writer_enter(writer, 0, SINGLE);
	writer_enter(writer, 0, SINGLE_BLOCK);
	writer_enter(writer, 1, SINGLE);
	writer_enter(writer, 1, SINGLE_BARRIER);
	for (uint32_t task = 1; task <= TASKS; task++)
		writer_task_create(writer, 0, task, 1 * MS);
	writer_leave(writer, 0, SINGLE_BLOCK);
	writer_enter(writer, 0, SINGLE_BARRIER);
	writer_work(writer, 1, 1 * MS);
	for (uint32_t task = 1; task <= TASKS; task++) {
		/* The one that is free first, and the second one for as long as both are not. */
		int thread = task > 2 && writer->now[0] < writer->now[1] ? 0 : 1;

		writer_task_switch(writer, thread, task);
		writer_region(writer, thread, TASK, 4 * MS);
		writer_task_complete(writer, thread, task);
		writer_task_switch(writer, thread, 0);
	}
	writer->now[0] = writer->now[1];
	for (int t = 0; t < 2; t++) {
		writer_leave(writer, t, SINGLE_BARRIER);
		writer_leave(writer, t, SINGLE);
	}
	writer_join(writer, 0, 2, 0, PARALLEL, PARALLEL_BARRIER, 0);
	scenario_end(writer);
}

/*
 * Three threads, 45 ms; what check-tables.py says of the critical path stands here, from the end
 * on: 4 serial, 1 join; 1 until thread 0 sees the barrier's end, which thread 1 held up with 10 of
 * a task that it took 2 after thread 0 had begun to create it; 1 work of thread 0, 1 barrier to
 * which it came last, for it had 3 of a critical, got 1 after thread 1 gave it back, which had it
 * for 6 from the end of a loop on, in which thread 2 worked 9; 1 fork, 5 serial.
 */
void scenario_path(struct writer *writer, long n)
{
	static const uint64_t loop[] = {2 * MS, 4 * MS, 9 * MS};

	(void)n;
	scenario_begin(writer);
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
	scenario_end(writer);
}
