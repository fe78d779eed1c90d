/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks at the events of fortran.f90: each function at those since the last one. */
#include <omp.h>

#include "check.h"
#include "recorder.h"

void check_begin(void);
void check_loop(int iterations);
void check_sections(int number);
void check_single(void);
void check_workshare(void);
void check_exclusion(int criticals, int ordereds);
void check_locks(intptr_t simple, intptr_t nested);

static void end(const char *function)
{
	record_check(function);
	if (check_result() != 0)
		exit(1);
	record_clear();
}

static void check_number(ompt_callbacks_t callback, int kind, unsigned number)
{
	CHECK_EQUAL(record_number(callback, kind, 0), number);
}

static void check_work(ompt_work_t kind, unsigned number)
{
	CHECK_EQUAL(record_number(ompt_callback_work, kind, ompt_scope_begin), number);
	CHECK_EQUAL(record_number(ompt_callback_work, kind, ompt_scope_end), number);
}

void check_begin(void)
{
	if (!record_is_on())
		exit(1);
	record_clear();
}

void check_loop(int iterations)
{
	const struct record *record =
	    record_find(0, ompt_callback_work, ompt_work_loop_dynamic, ompt_scope_begin);

	check_work(ompt_work_loop_dynamic, (unsigned)omp_get_max_threads());
	if (CHECK(record != NULL))
		CHECK_EQUAL(record->count, iterations);
	end("loop");
}

void check_sections(int number)
{
	check_work(ompt_work_sections, (unsigned)omp_get_max_threads());
	check_number(ompt_callback_dispatch, ompt_dispatch_section, (unsigned)number);
	end("two_sections");
}

void check_single(void)
{
	check_work(ompt_work_single_executor, 1);
	check_work(ompt_work_single_other, (unsigned)omp_get_max_threads() - 1);
	end("one_single");
}

/* gfortran makes a static loop of an array assignment: it calls nothing but the barrier. */
void check_workshare(void)
{
	check_number(ompt_callback_work, ompt_work_workshare, 0);
	end("workshared");
}

void check_exclusion(int criticals, int ordereds)
{
	check_number(ompt_callback_mutex_acquired, ompt_mutex_critical, (unsigned)criticals);
	check_number(ompt_callback_mutex_released, ompt_mutex_critical, (unsigned)criticals);
	check_number(ompt_callback_mutex_acquired, ompt_mutex_ordered, (unsigned)ordereds);
	check_number(ompt_callback_mutex_released, ompt_mutex_ordered, (unsigned)ordereds);
	end("exclusive");
}

/* A variable of a nestable lock holds the lock's address. */
void check_locks(intptr_t simple, intptr_t nested)
{
	for (unsigned i = 0; i < record_count(); i++) {
		const struct record *record = record_at(i);
		bool is_nested = record->callback == ompt_callback_nest_lock ||
				 record->kind == ompt_mutex_nest_lock ||
				 record->kind == ompt_mutex_test_nest_lock;
		CHECK_EQUAL(record->wait, is_nested ? nested : simple);
	}
	check_number(ompt_callback_lock_init, ompt_mutex_lock, 1);
	check_number(ompt_callback_lock_init, ompt_mutex_nest_lock, 1);
	check_number(ompt_callback_lock_destroy, ompt_mutex_lock, 1);
	check_number(ompt_callback_mutex_acquire, ompt_mutex_test_lock, 1);
	check_number(ompt_callback_mutex_acquired, ompt_mutex_lock, 1);
	check_number(ompt_callback_mutex_released, ompt_mutex_nest_lock, 1);
	check_number(ompt_callback_nest_lock, -1, 2);
	end("lock");
}
