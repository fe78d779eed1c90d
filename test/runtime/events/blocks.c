/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of sections, single and scope. Each member begins and ends sections once, and each section
 * is dispatched once. A single construct has one executor, which is in it while it executes the
 * block, and passes the others by. Where gcc's code does not show the end of a construct, the
 * construct is over before the next one, the next barrier and the end of the region.
 */
#include <omp.h>

#include "check.h"
#include "recorder.h"

static int entered[8];

static unsigned members(void)
{
	return (unsigned)omp_get_max_threads();
}

static void begin(void)
{
	memset(entered, 0, sizeof(entered));
	record_clear();
}

static __attribute__((noinline)) void three_sections(void)
{
#pragma omp parallel
	{
#pragma omp sections
		{
#pragma omp section
			count(&entered[0]);
#pragma omp section
			count(&entered[1]);
#pragma omp section
			count(&entered[2]);
		}
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

static __attribute__((noinline)) void combined_sections(void)
{
#pragma omp parallel sections
	{
#pragma omp section
		{
			count(&entered[0]);
			RETURNS_HERE;
		}
#pragma omp section
		{
			count(&entered[1]);
			RETURNS_HERE;
		}
	}
	RETURNS_HERE;
}

static void check_sections(int number, const char *function)
{
	CHECK_ALL(entered, number, 1);
	CHECK_EQUAL(
	    record_number(ompt_callback_work, ompt_work_sections, ompt_scope_begin), members());
	CHECK_EQUAL(
	    record_number(ompt_callback_work, ompt_work_sections, ompt_scope_end), members());
	CHECK_EQUAL(record_number(ompt_callback_dispatch, ompt_dispatch_section, 0), number);
	for (unsigned i = 0; i < record_count(); i++)
		if (record_at(i)->callback == ompt_callback_work)
			CHECK_EQUAL(record_at(i)->count, number);
	record_check(function);
}

static __attribute__((noinline)) void one_single(void)
{
#pragma omp parallel
	{
#pragma omp single
		count(&entered[0]);
#pragma omp barrier
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

/* Nothing but the region's end comes after it. */
static __attribute__((noinline)) void last_single(void)
{
#pragma omp parallel
	{
#pragma omp single nowait
		count(&entered[0]);
	}
	RETURNS_HERE;
}

static __attribute__((noinline)) void copying_single(void)
{
#pragma omp parallel
	{
		int value = 0;
#pragma omp single copyprivate(value)
		value = count(&entered[0]) + 5;
		CHECK_EQUAL(value, 5);
	}
	RETURNS_HERE;
}

/* While it executes the block the member is in the construct: the inner region lies within it. */
static __attribute__((noinline)) void single_with_region(void)
{
#pragma omp parallel
	{
#pragma omp single
#pragma omp parallel num_threads(1)
		{
#pragma omp single
			count(&entered[0]);
		}
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

static void check_single(unsigned singles, const char *function)
{
	const struct record *record;

	CHECK_EQUAL(entered[0], 1);
	CHECK_EQUAL(record_number(ompt_callback_work, ompt_work_single_executor, ompt_scope_begin),
	    singles);
	CHECK_EQUAL(
	    record_number(ompt_callback_work, ompt_work_single_executor, ompt_scope_end), singles);
	CHECK_EQUAL(record_number(ompt_callback_work, ompt_work_single_other, ompt_scope_begin),
	    members() - 1);
	CHECK_EQUAL(record_number(ompt_callback_work, ompt_work_single_other, ompt_scope_end),
	    members() - 1);
	record = record_find(0, ompt_callback_work, ompt_work_single_executor, 0);
	if (CHECK(record != NULL))
		CHECK_EQUAL(record->count, 1);
	record_check(function);
}

static __attribute__((noinline)) void many_in_turn(void)
{
#pragma omp parallel
	for (int i = 0; i < 20; i++) {
#pragma omp single nowait
		count(&entered[0]);
#pragma omp single nowait
		count(&entered[1]);
#pragma omp for schedule(dynamic) nowait
		for (int k = 0; k < 10; k++)
			count(&entered[2]);
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

static __attribute__((noinline)) int reducing_scope(void)
{
	int sum = 0;

#pragma omp parallel
	{
#pragma omp scope reduction(task, + : sum)
		sum++;
		RETURNS_HERE;
	}
	return sum;
}

int main(void)
{
	if (!record_is_on())
		return check_result();
	begin();
	three_sections();
	check_sections(3, "three_sections");
	begin();
	combined_sections();
	check_sections(2, "combined_sections");
	begin();
	one_single();
	check_single(1, "one_single");
	begin();
	last_single();
	check_single(1, "last_single");
	begin();
	copying_single();
	check_single(1, "copying_single");
	begin();
	single_with_region();
	check_single(2, "single_with_region");
	begin();
	many_in_turn();
	CHECK_EQUAL(entered[0], 20);
	CHECK_EQUAL(entered[1], 20);
	CHECK_EQUAL(entered[2], 200);
	CHECK_EQUAL(
	    record_number(ompt_callback_work, ompt_work_single_executor, ompt_scope_end), 40);
	record_check("many_in_turn");
	begin();
	CHECK_EQUAL(reducing_scope(), members());
	CHECK_EQUAL(
	    record_number(ompt_callback_work, ompt_work_scope, ompt_scope_begin), members());
	CHECK_EQUAL(record_number(ompt_callback_work, ompt_work_scope, ompt_scope_end), members());
	record_check("reducing_scope");
	return check_result();
}
