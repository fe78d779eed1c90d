/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of reductions in which tasks take part: the one thread that combines the copies begins and
 * ends, within its region and after the construct is over. Reductions that gcc compiles without the
 * runtime have none.
 */
#include <omp.h>

#include "check.h"
#include "recorder.h"

enum { LENGTH = 64 };

static __attribute__((noinline)) int of_loop(void)
{
	int sum = 0;

#pragma omp parallel
	{
#pragma omp for schedule(dynamic) reduction(task, + : sum)
		for (int i = 0; i < LENGTH; i++) {
#pragma omp task in_reduction(+ : sum)
			sum += i;
		}
		RETURNS_HERE;
	}
	return sum;
}

static __attribute__((noinline)) int of_sections(void)
{
	int sum = 0;

#pragma omp parallel
	{
#pragma omp sections reduction(task, + : sum)
		{
#pragma omp section
			sum += 1;
#pragma omp section
			sum += 2;
		}
		RETURNS_HERE;
	}
	return sum;
}

static __attribute__((noinline)) int of_scope(void)
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

static __attribute__((noinline)) int of_parallel(void)
{
	int sum = 0;

#pragma omp parallel reduction(task, + : sum)
	{
		sum++;
#pragma omp barrier
		RETURNS_HERE;
	}
	return sum;
}

static __attribute__((noinline)) int of_group(void)
{
	int sum = 0;

#pragma omp parallel
#pragma omp masked
	{
#pragma omp taskgroup task_reduction(+ : sum)
		for (int i = 0; i < LENGTH; i++) {
#pragma omp task in_reduction(+ : sum)
			sum += i;
		}
		RETURNS_HERE;
	}
	return sum;
}

static __attribute__((noinline)) int unseen(void)
{
	int sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < LENGTH; i++)
		sum += i;
	return sum;
}

/* So many begin, each ends next on the same thread and task. */
static void check_pairs(unsigned number, const char *function)
{
	const struct record *begin, *end;

	CHECK_EQUAL(
	    record_number(ompt_callback_reduction, ompt_sync_region_reduction, ompt_scope_begin),
	    number);
	CHECK_EQUAL(
	    record_number(ompt_callback_reduction, ompt_sync_region_reduction, ompt_scope_end),
	    number);
	begin = record_find(0, ompt_callback_reduction, -1, ompt_scope_begin);
	end = record_find(0, ompt_callback_reduction, -1, ompt_scope_end);
	if (begin != NULL && end != NULL) {
		CHECK(begin < end);
		CHECK_EQUAL(begin->thread, end->thread);
		CHECK_EQUAL(begin->task, end->task);
		CHECK(begin->codeptr != NULL && end->codeptr != NULL);
	}
	record_check(function);
}

int main(void)
{
	const int all = LENGTH * (LENGTH - 1) / 2;

	if (!record_is_on())
		return check_result();
	CHECK_EQUAL(record_answer[ompt_callback_reduction], ompt_set_sometimes_paired);
	record_clear();
	CHECK_EQUAL(of_loop(), all);
	check_pairs(1, "of_loop");
	record_clear();
	CHECK_EQUAL(of_sections(), 3);
	check_pairs(1, "of_sections");
	record_clear();
	CHECK_EQUAL(of_scope(), omp_get_max_threads());
	check_pairs(1, "of_scope");
	record_clear();
	CHECK_EQUAL(of_parallel(), omp_get_max_threads());
	check_pairs(1, "of_parallel");
	record_clear();
	CHECK_EQUAL(of_group(), all);
	check_pairs(1, "of_group");
	record_clear();
	CHECK_EQUAL(unseen(), all);
	check_pairs(0, "unseen");
	return check_result();
}
