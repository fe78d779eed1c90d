/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of doacross loops: the loop with its chunks, and for each depend(sink) and depend(source)
 * the iteration in all dimensions, counted from 0. No sink comes before the source of the
 * iteration that it names.
 */
#include <omp.h>

#include "check.h"
#include "recorder.h"

enum { ROWS = 12, COLUMNS = 5 };

static __attribute__((noinline)) void two_dimensions(void)
{
#pragma omp parallel
	{
#pragma omp for ordered(2)
		for (int i = 10; i < 10 + ROWS; i++)
			for (int k = 2 * COLUMNS; k > 0; k -= 2) {
#pragma omp ordered depend(sink : i - 1, k)
				dawdle(10);
#pragma omp ordered depend(source)
			}
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

static __attribute__((noinline)) void unsigned_loop(void)
{
#pragma omp parallel
	{
#pragma omp for ordered(1) schedule(dynamic, 1)
		for (unsigned long long i = ~0ull - ROWS; i < ~0ull; i++) {
#pragma omp ordered depend(sink : i - 1)
			dawdle(10);
#pragma omp ordered depend(source)
		}
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

/* What was posted is noted in the order of the record. */
static void check_dependences(int dimensions, unsigned sources, unsigned sinks)
{
	static bool posted[ROWS][COLUMNS];

	memset(posted, 0, sizeof(posted));
	CHECK_EQUAL(
	    record_number(ompt_callback_dependences, ompt_dependence_type_source, 0), sources);
	CHECK_EQUAL(record_number(ompt_callback_dependences, ompt_dependence_type_sink, 0), sinks);
	for (unsigned i = 0; i < record_count(); i++) {
		const struct record *record = record_at(i);
		uint64_t row, column;
		if (record->callback != ompt_callback_dependences)
			continue;
		CHECK_EQUAL(record->length, dimensions);
		row = record->deps[0].variable.value;
		column = dimensions > 1 ? record->deps[1].variable.value : 0;
		if (!CHECK(row < ROWS && column < COLUMNS))
			return;
		for (int k = 0; k < dimensions; k++)
			CHECK_EQUAL(record->deps[k].dependence_type, record->kind);
		if (record->kind == ompt_dependence_type_source)
			posted[row][column] = true;
		else
			CHECK(posted[row][column]);
	}
}

int main(void)
{
	unsigned members = (unsigned)omp_get_max_threads();

	if (!record_is_on())
		return check_result();
	record_clear();
	two_dimensions();
	check_dependences(2, ROWS * COLUMNS, (ROWS - 1) * COLUMNS);
	CHECK_EQUAL(
	    record_number(ompt_callback_work, ompt_work_loop_static, ompt_scope_begin), members);
	CHECK_EQUAL(
	    record_number(ompt_callback_work, ompt_work_loop_static, ompt_scope_end), members);
	record_check("two_dimensions");
	record_clear();
	unsigned_loop();
	check_dependences(1, ROWS, ROWS - 1);
	CHECK_EQUAL(
	    record_number(ompt_callback_work, ompt_work_loop_dynamic, ompt_scope_begin), members);
	CHECK_EQUAL(record_number(ompt_callback_dispatch, ompt_dispatch_ws_loop_chunk, 0),
	    members > 1 ? ROWS : 1);
	record_check("unsigned_loop");
	return check_result();
}
