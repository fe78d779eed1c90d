/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entries that begin and end regions, as older compilers call them: GOMP_parallel_start and its
 * combined forms return, the caller runs the body itself and then calls GOMP_parallel_end. Also the
 * combined forms in one call, teams of OpenMP 4.0, and GCC 13's taskwait with depend and nowait.
 */
#include <omp.h>
#include <stdint.h>

#include "check.h"

typedef void region(void *);

void GOMP_parallel_start(region *fn, void *data, unsigned threads);
void GOMP_parallel_end(void);
void GOMP_parallel_sections_start(region *fn, void *data, unsigned threads, unsigned count);
void GOMP_parallel_sections(
    region *fn, void *data, unsigned threads, unsigned count, unsigned flags);
unsigned GOMP_sections_next(void);
void GOMP_sections_end_nowait(void);
bool GOMP_sections_end_cancel(void);
bool GOMP_loop_end_cancel(void);
void GOMP_loop_end_nowait(void);
void GOMP_teams(unsigned teams, unsigned limit);
void GOMP_taskwait_depend_nowait(void **depend) __attribute__((weak));

#define CHUNKED_START(name)                                                                        \
	void name(                                                                                 \
	    region *fn, void *data, unsigned threads, long begin, long end, long step, long chunk)
#define PLAIN_START(name)                                                                          \
	void name(region *fn, void *data, unsigned threads, long begin, long end, long step)
#define CHUNKED(name)                                                                              \
	void name(region *fn, void *data, unsigned threads, long begin, long end, long step,       \
	    long chunk, unsigned flags)
#define PLAIN(name)                                                                                \
	void name(region *fn, void *data, unsigned threads, long begin, long end, long step,       \
	    unsigned flags)
CHUNKED_START(GOMP_parallel_loop_static_start);
CHUNKED_START(GOMP_parallel_loop_dynamic_start);
CHUNKED_START(GOMP_parallel_loop_guided_start);
PLAIN_START(GOMP_parallel_loop_runtime_start);
CHUNKED(GOMP_parallel_loop_static);
CHUNKED(GOMP_parallel_loop_dynamic);
CHUNKED(GOMP_parallel_loop_guided);
CHUNKED(GOMP_parallel_loop_nonmonotonic_dynamic);
CHUNKED(GOMP_parallel_loop_nonmonotonic_guided);
PLAIN(GOMP_parallel_loop_runtime);
PLAIN(GOMP_parallel_loop_nonmonotonic_runtime);
PLAIN(GOMP_parallel_loop_maybe_nonmonotonic_runtime);

typedef bool next_fn(long *low, long *high);
next_fn GOMP_loop_static_next, GOMP_loop_dynamic_next, GOMP_loop_guided_next,
    GOMP_loop_runtime_next, GOMP_loop_nonmonotonic_dynamic_next, GOMP_loop_nonmonotonic_guided_next,
    GOMP_loop_nonmonotonic_runtime_next, GOMP_loop_maybe_nonmonotonic_runtime_next;

enum { BEGIN = -10, END = 50, STEP = 2, TRIPS = 30, CHUNK = 3, THREADS = 3 };

/* What one region counts. */
struct counts {
	int members[THREADS];
	int trips[TRIPS];
	int sections[5];
	next_fn *next;
	bool cancellable;
};

static void member(struct counts *counts)
{
	CHECK_EQUAL(omp_get_num_threads(), THREADS);
	CHECK_EQUAL(omp_get_level(), 1);
	count(&counts->members[omp_get_thread_num()]);
}

static void run_plain(void *data)
{
	member(data);
}

static void run_loop(void *data)
{
	struct counts *counts = data;
	long low, high;

	member(counts);
	while (counts->next(&low, &high))
		for (long i = low; i < high; i += STEP)
			count(&counts->trips[(i - BEGIN) / STEP]);
	if (counts->cancellable)
		CHECK(!GOMP_loop_end_cancel());
	else
		GOMP_loop_end_nowait();
}

static void run_sections(void *data)
{
	struct counts *counts = data;
	unsigned section;

	member(counts);
	while ((section = GOMP_sections_next()) != 0)
		if (CHECK(section <= 5))
			count(&counts->sections[section - 1]);
	if (counts->cancellable)
		CHECK(!GOMP_sections_end_cancel());
	else
		GOMP_sections_end_nowait();
}

static void expect_region(const struct counts *counts)
{
	CHECK_ALL(counts->members, THREADS, 1);
	CHECK_EQUAL(omp_get_level(), 0);
	CHECK_EQUAL(omp_get_num_threads(), 1);
}

static void test_start_and_end(void)
{
	struct counts counts = {.cancellable = false};

	GOMP_parallel_start(run_plain, &counts, THREADS);
	run_plain(&counts);
	GOMP_parallel_end();
	expect_region(&counts);
	GOMP_parallel_sections_start(run_sections, &counts, THREADS, 5);
	run_sections(&counts);
	GOMP_parallel_end();
	CHECK_ALL(counts.members, THREADS, 2);
	CHECK_ALL(counts.sections, 5, 1);
	struct counts cancellable = {.cancellable = true};
	GOMP_parallel_sections(run_sections, &cancellable, THREADS, 5, 0);
	expect_region(&cancellable);
	CHECK_ALL(cancellable.sections, 5, 1);
}

/* One form of a combined loop; returns what it counted. */
#define TRY(next_name, call)                                                                       \
	for (int cancellable = 0; cancellable < 2; cancellable++) {                                \
		struct counts counts = {.next = next_name, .cancellable = cancellable};            \
		call;                                                                              \
		expect_region(&counts);                                                            \
		CHECK_ALL(counts.trips, TRIPS, 1);                                                 \
	}
#define LOOP run_loop, &counts, THREADS, BEGIN, END, STEP
#define AND_END                                                                                    \
	run_loop(&counts);                                                                         \
	GOMP_parallel_end()

static void test_loops(void)
{
	TRY(GOMP_loop_static_next, GOMP_parallel_loop_static_start(LOOP, CHUNK); AND_END)
	TRY(GOMP_loop_dynamic_next, GOMP_parallel_loop_dynamic_start(LOOP, CHUNK); AND_END)
	TRY(GOMP_loop_guided_next, GOMP_parallel_loop_guided_start(LOOP, CHUNK); AND_END)
	TRY(GOMP_loop_runtime_next, GOMP_parallel_loop_runtime_start(LOOP); AND_END)
	TRY(GOMP_loop_static_next, GOMP_parallel_loop_static(LOOP, CHUNK, 0))
	TRY(GOMP_loop_dynamic_next, GOMP_parallel_loop_dynamic(LOOP, CHUNK, 0))
	TRY(GOMP_loop_guided_next, GOMP_parallel_loop_guided(LOOP, CHUNK, 0))
	TRY(GOMP_loop_nonmonotonic_dynamic_next,
	    GOMP_parallel_loop_nonmonotonic_dynamic(LOOP, CHUNK, 0))
	TRY(GOMP_loop_nonmonotonic_guided_next,
	    GOMP_parallel_loop_nonmonotonic_guided(LOOP, CHUNK, 0))
	TRY(GOMP_loop_runtime_next, GOMP_parallel_loop_runtime(LOOP, 0))
	TRY(GOMP_loop_nonmonotonic_runtime_next, GOMP_parallel_loop_nonmonotonic_runtime(LOOP, 0))
	TRY(GOMP_loop_maybe_nonmonotonic_runtime_next,
	    GOMP_parallel_loop_maybe_nonmonotonic_runtime(LOOP, 0))
}

/* Stands in a target region on the host; its body runs once. */
static void test_teams(void)
{
	int runs = 0, limit = 0;

#pragma omp target map(tofrom : runs, limit)
	{
		GOMP_teams(4, 2);
		runs++;
		limit = omp_get_thread_limit();
	}
	CHECK_EQUAL(runs, 1);
	CHECK_EQUAL(limit, 2);
}

/* A task without a body: later tasks that depend on the same variable wait for the earlier ones. */
static void test_depend_nowait(void)
{
	int value = 0;

	if (!GOMP_taskwait_depend_nowait)
		return; /* a runtime older than GCC 13's */
#pragma omp parallel num_threads(THREADS)
#pragma omp single
	for (int i = 0; i < 100; i++) {
		void *depend[] = {(void *)(uintptr_t)1, (void *)(uintptr_t)1, &value};
#pragma omp task depend(inout : value) shared(value)
		{
			dawdle(500);
			value++;
		}
		GOMP_taskwait_depend_nowait(depend);
#pragma omp task depend(inout : value) shared(value)
		CHECK_EQUAL(value, i + 1);
	}
	CHECK_EQUAL(value, 100);
}

int main(void)
{
	omp_set_dynamic(0);
	test_start_and_end();
	test_loops();
	test_teams();
	test_depend_nowait();
	return check_result();
}
