/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of cancellation: which thread cancels which construct, and which thread finds that out at
 * a cancellation point. After a cancelled region every construct in it has ended. With cancel-var
 * false there is none of this.
 */
#include <omp.h>

#include "check.h"
#include "recorder.h"

/* One member cancels the region, the others look until they find that out, then are in a loop. */
static __attribute__((noinline)) void cancel_parallel(void)
{
#pragma omp parallel
	{
		if (omp_get_thread_num() == omp_get_num_threads() - 1) {
#pragma omp cancel parallel
		}
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 1000; i++)
			dawdle(5);
		for (;;) {
#pragma omp cancellation point parallel
			sched_yield();
		}
	}
	RETURNS_HERE;
}

static __attribute__((noinline)) void cancel_loop(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 100; i++) {
#pragma omp cancel for if (i == 3)
		}
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

static __attribute__((noinline)) void cancel_sections(void)
{
#pragma omp parallel
	{
#pragma omp sections
		{
#pragma omp section
			{
#pragma omp cancel sections
			}
#pragma omp section
			{
#pragma omp cancellation point sections
			}
		}
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

static __attribute__((noinline)) void cancel_group(void)
{
#pragma omp parallel
#pragma omp masked
#pragma omp taskgroup
	{
#pragma omp task
		{
#pragma omp cancel taskgroup
		} RETURNS_HERE;
	}
	RETURNS_HERE;
}

static void check_cancel(int construct, bool is_sure, const char *function)
{
	unsigned activated =
	    record_number(ompt_callback_cancel, construct | ompt_cancel_activated, 0);

	CHECK(is_sure ? activated == 1 : activated >= 1);
	for (unsigned i = 0; i < record_count(); i++) {
		const struct record *record = record_at(i);
		if (record->callback != ompt_callback_cancel)
			continue;
		CHECK(record->kind == (construct | ompt_cancel_activated) ||
		      record->kind == (construct | ompt_cancel_detected) ||
		      record->kind == (construct | ompt_cancel_discarded_task));
		CHECK(record->task != 0);
	}
	record_check(function);
}

int main(int count, char **arguments)
{
	(void)count;
	check_needs_environment(arguments, "OMP_CANCELLATION", "true");
	if (!record_is_on())
		return check_result();
	CHECK(omp_get_cancellation());
	record_clear();
	cancel_parallel();
	check_cancel(ompt_cancel_parallel, true, "cancel_parallel");
	CHECK(record_number(ompt_callback_cancel, ompt_cancel_parallel | ompt_cancel_detected, 0) >=
	      (unsigned)omp_get_max_threads() - 1);
	record_clear();
	cancel_loop();
	check_cancel(ompt_cancel_loop, true, "cancel_loop");
	record_clear();
	cancel_sections();
	check_cancel(ompt_cancel_sections, true, "cancel_sections");
	record_clear();
	cancel_group();
	check_cancel(ompt_cancel_taskgroup, true, "cancel_group");
	return check_result();
}
