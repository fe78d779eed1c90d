/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of worksharing loops that gcc's code shows: their kind is the schedule that they are
 * executed with, their count the iterations, and the chunks of their dispatch events are the
 * program's iterations, each once, on the thread that executed them. Loops of both integer types,
 * up and down, combined with parallel, with nowait, ordered and empty; loops that gcc divides
 * itself have no events.
 */
#include <omp.h>

#include "check.h"
#include "recorder.h"

enum { LENGTH = 101 };

static int executed[LENGTH];
static unsigned executor[LENGTH]; /* by number in the team, plus one */

static void visit(long i)
{
	__atomic_add_fetch(&executed[i], 1, __ATOMIC_RELAXED);
	/* atomic: in_turn() has two loops that do not wait for each other */
	__atomic_store_n(&executor[i], (unsigned)omp_get_thread_num() + 1, __ATOMIC_RELAXED);
}

static void begin(void)
{
	memset(executed, 0, sizeof(executed));
	record_clear();
}

/* Each iteration lies in one chunk. */
static void check_chunks(unsigned iterations)
{
	int covered[LENGTH] = {0};

	for (unsigned i = 0; i < record_count(); i++) {
		const struct record *record = record_at(i);
		if (record->callback != ompt_callback_dispatch)
			continue;
		CHECK_EQUAL(record->kind, ompt_dispatch_ws_loop_chunk);
		CHECK(record->count > 0);
		CHECK(record->start + record->count <= iterations);
		for (uint64_t k = 0; k < record->count && record->start + k < LENGTH; k++)
			covered[record->start + k]++;
	}
	CHECK_ALL(covered, iterations, 1);
}

/* All members began and ended one loop of this kind with so many iterations. */
static void check_loop(ompt_work_t kind, unsigned iterations, const char *function)
{
	unsigned members = (unsigned)omp_get_max_threads();
	const void *place = NULL;

	CHECK_ALL(executed, iterations, 1);
	CHECK_EQUAL(record_number(ompt_callback_work, -1, 0), 2 * members);
	CHECK_EQUAL(record_number(ompt_callback_work, kind, ompt_scope_begin), members);
	CHECK_EQUAL(record_number(ompt_callback_work, kind, ompt_scope_end), members);
	for (unsigned i = 0; i < record_count(); i++) {
		const struct record *record = record_at(i);
		if (record->callback != ompt_callback_work)
			continue;
		CHECK_EQUAL(record->count, iterations);
		CHECK(record->parallel != 0);
		if (record->endpoint != ompt_scope_begin)
			continue;
		CHECK(place == NULL || place == record->codeptr);
		place = record->codeptr;
	}
	check_chunks(iterations);
	record_check(function);
}

#define LOOP(name, clauses, type, header, index)                                                   \
	static __attribute__((noinline)) void name(type n)                                         \
	{                                                                                          \
		begin();                                                                           \
		_Pragma("omp parallel")                                                            \
		{                                                                                  \
			_Pragma(clauses) for (header) visit(index);                                \
			RETURNS_HERE;                                                              \
		}                                                                                  \
	}

#define UP                                                                                         \
	int i = 0;                                                                                 \
	i < n;                                                                                     \
	i++
#define DOWN                                                                                       \
	int i = n - 1;                                                                             \
	i >= 0;                                                                                    \
	i--
#define LONG                                                                                       \
	unsigned long long i = ~0ull - n;                                                          \
	i < ~0ull;                                                                                 \
	i++

LOOP(dynamic_up, "omp for schedule(dynamic, 3)", int, UP, i)
LOOP(dynamic_down, "omp for schedule(dynamic, 3)", int, DOWN, n - 1 - i)
LOOP(dynamic_monotonic, "omp for schedule(monotonic: dynamic)", int, UP, i)
LOOP(dynamic_nowait, "omp for schedule(dynamic) nowait", int, UP, i)
LOOP(dynamic_unsigned, "omp for schedule(dynamic, 5)", unsigned long long, LONG, i - ~0ull + n)
LOOP(guided_up, "omp for schedule(guided)", int, UP, i)
LOOP(guided_unsigned, "omp for schedule(guided, 4)", unsigned long long, LONG, i - ~0ull + n)
LOOP(runtime_up, "omp for schedule(runtime)", int, UP, i)

static __attribute__((noinline)) void ordered_up(int n)
{
	begin();
#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 2) ordered
		for (int i = 0; i < n; i++) {
			visit(i);
#pragma omp ordered
			executor[i] = 0;
		}
		RETURNS_HERE;
	}
}

static __attribute__((noinline)) void ordered_static(int n)
{
	begin();
#pragma omp parallel
	{
#pragma omp for schedule(static, 2) ordered
		for (int i = 0; i < n; i++) {
			visit(i);
#pragma omp ordered
			executor[i] = 0;
		}
		RETURNS_HERE;
	}
}

static __attribute__((noinline)) void combined(int n)
{
	begin();
#pragma omp parallel for schedule(monotonic : guided)
	for (int i = 0; i < n; i++)
		visit(i);
	RETURNS_HERE;
}

static __attribute__((noinline)) void combined_dynamic(void)
{
	begin();
#pragma omp parallel for schedule(dynamic, 7)
	for (int i = 0; i < LENGTH; i++)
		visit(i);
	RETURNS_HERE;
}

/* Two loops one after the other, which members may be in at the same time. */
static __attribute__((noinline)) void in_turn(int n)
{
	unsigned members = (unsigned)omp_get_max_threads();

	begin();
#pragma omp parallel
	{
#pragma omp for schedule(dynamic) nowait
		for (int i = 0; i < n; i++)
			visit(i);
#pragma omp for schedule(guided) nowait
		for (int i = 0; i < n; i++)
			visit(i);
		RETURNS_HERE;
	}
	CHECK_ALL(executed, n, 2);
	CHECK_EQUAL(
	    record_number(ompt_callback_work, ompt_work_loop_dynamic, ompt_scope_begin), members);
	CHECK_EQUAL(
	    record_number(ompt_callback_work, ompt_work_loop_guided, ompt_scope_end), members);
	record_check("in_turn");
}

static __attribute__((noinline)) void unseen(int n)
{
	begin();
#pragma omp parallel
#pragma omp for
	for (int i = 0; i < n; i++)
		visit(i);
	CHECK_ALL(executed, n, 1);
	CHECK_EQUAL(record_number(ompt_callback_work, -1, 0), 0);
	CHECK_EQUAL(record_number(ompt_callback_dispatch, -1, 0), 0);
}

/* The schedule that run-sched-var has. */
static void runtime_schedules(void)
{
	omp_set_schedule(omp_sched_dynamic, 4);
	runtime_up(LENGTH);
	check_loop(ompt_work_loop_dynamic, LENGTH, "runtime_up");
	omp_set_schedule(omp_sched_guided, 0);
	runtime_up(LENGTH);
	check_loop(ompt_work_loop_guided, LENGTH, "runtime_up");
	omp_set_schedule(omp_sched_static, 0);
	runtime_up(LENGTH);
	check_loop(ompt_work_loop_static, LENGTH, "runtime_up");
	omp_set_schedule(omp_sched_auto, 0);
	runtime_up(LENGTH);
	check_loop(ompt_work_loop_static, LENGTH, "runtime_up");
}

int main(void)
{
	if (!record_is_on())
		return check_result();
	CHECK_EQUAL(record_answer[ompt_callback_work], ompt_set_sometimes_paired);
	CHECK_EQUAL(record_answer[ompt_callback_dispatch], ompt_set_sometimes);
	dynamic_up(LENGTH);
	check_loop(ompt_work_loop_dynamic, LENGTH, "dynamic_up");
	dynamic_up(0);
	check_loop(ompt_work_loop_dynamic, 0, "dynamic_up");
	dynamic_down(LENGTH);
	check_loop(ompt_work_loop_dynamic, LENGTH, "dynamic_down");
	dynamic_monotonic(LENGTH);
	check_loop(ompt_work_loop_dynamic, LENGTH, "dynamic_monotonic");
	dynamic_nowait(LENGTH);
	check_loop(ompt_work_loop_dynamic, LENGTH, "dynamic_nowait");
	dynamic_unsigned(LENGTH);
	check_loop(ompt_work_loop_dynamic, LENGTH, "dynamic_unsigned");
	guided_up(LENGTH);
	check_loop(ompt_work_loop_guided, LENGTH, "guided_up");
	guided_unsigned(LENGTH);
	check_loop(ompt_work_loop_guided, LENGTH, "guided_unsigned");
	ordered_up(LENGTH);
	check_loop(ompt_work_loop_dynamic, LENGTH, "ordered_up");
	ordered_static(LENGTH);
	check_loop(ompt_work_loop_static, LENGTH, "ordered_static");
	combined(LENGTH);
	check_loop(ompt_work_loop_guided, LENGTH, "combined");
	combined_dynamic();
	check_loop(ompt_work_loop_dynamic, LENGTH, "combined_dynamic");
	runtime_schedules();
	in_turn(LENGTH);
	unseen(LENGTH);
	return check_result();
}
