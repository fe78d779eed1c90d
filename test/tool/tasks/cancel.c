/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cancel taskgroup as a tool sees it: tasks that leave their code end as cancelled, tasks that have
 * not begun are discarded and end as cancelled, too, and each task has exactly one end (OpenMP 5.2,
 * 11.4, 11.5, 12.9).
 */
#include <omp.h>

#include "record.h"

enum { TASKS = 40 };

static int ends(int status)
{
	return COUNT_EVENTS(event->what == SCHEDULE && event->kind == status);
}

static int cancels(int flags)
{
	return COUNT_EVENTS(event->what == CANCEL && event->flags == flags);
}

/* The first task waits until all are made, and each other one that begins until it has cancelled.
 */
static void unbegun_are_discarded(void)
{
	int begun = 0, made = 0, cancelled = 0, created;

#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
	{
		for (int i = 0; i < TASKS; i++) {
#pragma omp task
			{
				count(&begun);
				if (i != 0)
					CHECK(await_flag(&cancelled, 1));
				else if (CHECK(await_flag(&made, 1)))
					raise_flag(&cancelled);
#pragma omp cancel taskgroup if (i == 0)
				dawdle(1);
			}
		}
		raise_flag(&made);
	}
	created = COUNT_EVENTS(event->what == CREATE);
	CHECK(created <= TASKS);
	CHECK(is_raised(&cancelled, 1));
	CHECK_EQUAL(ends(ompt_task_complete) + ends(ompt_task_cancel), created);
	CHECK(ends(ompt_task_cancel) >= 1 + created - begun);
	CHECK_EQUAL(cancels(ompt_cancel_taskgroup | ompt_cancel_activated), 1);
	CHECK_EQUAL(cancels(ompt_cancel_taskgroup | ompt_cancel_discarded_task), created - begun);
	for (int i = 0; i < record_count; i++) {
		const struct event *discarded = &record_events[i];
		if (discarded->what == CANCEL && (discarded->flags & ompt_cancel_discarded_task))
			CHECK_EQUAL(COUNT_EVENTS(event->what == SCHEDULE &&
						 (event->task == discarded->task ||
						     event->other == discarded->task)),
			    1);
	}
	record_clear();
}

/* Both tasks run at once, so the second one finds the group cancelled at its point. */
static void a_point_is_noticed(void)
{
	int running = 0, begun = 0;

#pragma omp parallel num_threads(3)
	{
		start_together(&running, 3);
#pragma omp single
#pragma omp taskgroup
		{
#pragma omp task
			{
				double deadline = check_deadline(10);
				raise_flag(&begun);
				while (keep_waiting(deadline)) {
#pragma omp cancellation point taskgroup
					sched_yield();
				}
				CHECK(false);
			}
#pragma omp task
			{
				CHECK(await_flag(&begun, 1));
#pragma omp cancel taskgroup
				CHECK(false);
			}
		}
	}
	CHECK_EQUAL(cancels(ompt_cancel_taskgroup | ompt_cancel_activated), 1);
	CHECK_EQUAL(cancels(ompt_cancel_taskgroup | ompt_cancel_detected), 1);
	CHECK_EQUAL(ends(ompt_task_cancel), 2);
	CHECK_EQUAL(ends(ompt_task_complete), 0);
	record_clear();
}

int main(int count, char **arguments)
{
	(void)count;
	check_needs_environment(arguments, "OMP_CANCELLATION", "true");
	unbegun_are_discarded();
	a_point_is_noticed();
	return check_result();
}
