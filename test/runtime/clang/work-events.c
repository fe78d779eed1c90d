/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a tool sees of work-sharing and mutual exclusion in clang's code: kinds by what the code
 * says of the construct, counts, chunks and sections; each begin with its end, also where the code
 * calls for none.
 */
#include "../events/recorder.h"
#include "kmp-calls.h"

enum { STATIC_CHUNKED = 33, STATIC = 34, DYNAMIC = 35, ORDERED_DYNAMIC = 67, ITERATIONS = 40 };
enum { OF_LOOP = 0x200, OF_SECTIONS = 0x400, SECTIONS = 5, HINT = omp_sync_hint_contended };

void __kmpc_for_static_init_4(struct ident *, int32_t gtid, int32_t schedule, int32_t *last,
    int32_t *lower, int32_t *upper, int32_t *stride, int32_t increment, int32_t chunk);
void __kmpc_for_static_fini(struct ident *, int32_t gtid);
void __kmpc_dispatch_init_4(struct ident *, int32_t gtid, int32_t schedule, int32_t lower,
    int32_t upper, int32_t step, int32_t chunk);
int32_t __kmpc_dispatch_next_4(
    struct ident *, int32_t gtid, int32_t *last, int32_t *lower, int32_t *upper, int32_t *stride);
void __kmpc_dispatch_deinit(struct ident *, int32_t gtid);
void __kmpc_ordered(struct ident *, int32_t gtid);
void __kmpc_end_ordered(struct ident *, int32_t gtid);
int32_t __kmpc_sections_init(struct ident *, int32_t gtid);
int32_t __kmpc_next_section(struct ident *, int32_t gtid, int32_t sections);
void __kmpc_end_sections(struct ident *, int32_t gtid);
int32_t __kmpc_single(struct ident *, int32_t gtid);
void __kmpc_end_single(struct ident *, int32_t gtid);
void __kmpc_scope(struct ident *, int32_t gtid, void *);
void __kmpc_end_scope(struct ident *, int32_t gtid, void *);
void __kmpc_critical_with_hint(struct ident *, int32_t gtid, int32_t name[8], uint32_t hint);
void __kmpc_end_critical(struct ident *, int32_t gtid, int32_t name[8]);
void __kmpc_doacross_init(struct ident *, int32_t gtid, int32_t dimensions, const int64_t *ranges);
void __kmpc_doacross_post(struct ident *, int32_t gtid, const int64_t *iteration);
void __kmpc_doacross_wait(struct ident *, int32_t gtid, const int64_t *iteration);
void __kmpc_doacross_fini(struct ident *, int32_t gtid);

static struct ident loop_here = {0, 2 | OF_LOOP, 0, 0, ";test;function;1;1;;"};
static struct ident sections_here = {0, 2 | OF_SECTIONS, 0, 0, ";test;function;1;1;;"};
static unsigned members;

static void static_loop(int32_t *gtid, int32_t *number, void *data)
{
	int32_t lower = 0, upper = ITERATIONS - 1, stride, last;

	(void)number;
	__kmpc_for_static_init_4(data, *gtid, STATIC, &last, &lower, &upper, &stride, 1, 1);
	__kmpc_for_static_fini(data, *gtid);
	__kmpc_barrier(&here, *gtid);
}

/* Without the call that ends the loop, and then with it. */
static void dispatched_loops(int32_t *gtid, int32_t *number, void *data)
{
	int32_t lower, upper, stride, last;

	(void)number;
	(void)data;
	__kmpc_dispatch_init_4(&here, *gtid, DYNAMIC, 0, ITERATIONS - 1, 1, 3);
	while (__kmpc_dispatch_next_4(&here, *gtid, &last, &lower, &upper, &stride))
		;
	__kmpc_dispatch_init_4(&here, *gtid, ORDERED_DYNAMIC, 0, ITERATIONS - 1, 1, 3);
	while (__kmpc_dispatch_next_4(&here, *gtid, &last, &lower, &upper, &stride)) {
		for (int32_t i = lower; i <= upper; i++) {
			__kmpc_ordered(&here, *gtid);
			__kmpc_end_ordered(&here, *gtid);
		}
	}
	__kmpc_dispatch_deinit(&here, *gtid);
	RETURNS_HERE;
}

static void claimed_sections(int32_t *gtid, int32_t *number, void *data)
{
	(void)number;
	(void)data;
	(void)__kmpc_sections_init(&here, *gtid);
	while (__kmpc_next_section(&here, *gtid, SECTIONS) < SECTIONS)
		;
	__kmpc_end_sections(&here, *gtid);
	RETURNS_HERE;
}

static void blocks(int32_t *gtid, int32_t *number, void *data)
{
	static int32_t name[8];

	(void)number;
	(void)data;
	if (__kmpc_single(&here, *gtid))
		__kmpc_end_single(&here, *gtid);
	__kmpc_scope(&here, *gtid, NULL);
	__kmpc_critical_with_hint(&here, *gtid, name, HINT);
	__kmpc_end_critical(&here, *gtid, name);
	__kmpc_end_scope(&here, *gtid, NULL);
	__kmpc_barrier(&here, *gtid);
	RETURNS_HERE;
}

static void doacross(int32_t *gtid, int32_t *number, void *data)
{
	static const int64_t ranges[] = {0, ITERATIONS - 1, 1};
	int32_t lower = 0, upper = ITERATIONS - 1, stride, last;

	(void)number;
	(void)data;
	__kmpc_doacross_init(&here, *gtid, 1, ranges);
	__kmpc_for_static_init_4(
	    &loop_here, *gtid, STATIC_CHUNKED, &last, &lower, &upper, &stride, 1, 1);
	for (int64_t i = lower; i < ITERATIONS; i += stride) {
		int64_t before = i - 1;
		__kmpc_doacross_wait(&here, *gtid, &before);
		__kmpc_doacross_post(&here, *gtid, &i);
	}
	__kmpc_for_static_fini(&loop_here, *gtid);
	__kmpc_doacross_fini(&here, *gtid);
	RETURNS_HERE;
}

static void run(void (*fn)(int32_t *, int32_t *, void *), void *data)
{
	record_clear();
	fork_threads(0, fn, data);
	record_check(NULL);
	members = record_number(ompt_callback_work, -1, ompt_scope_begin);
	CHECK_EQUAL(record_number(ompt_callback_work, -1, ompt_scope_end), members);
}

/* All work events are of this kind, one construct by each thread. */
static void check_work(ompt_work_t kind, uint64_t iterations)
{
	CHECK_EQUAL(members, omp_get_max_threads());
	CHECK_EQUAL(record_number(ompt_callback_work, (int)kind, ompt_scope_begin), members);
	for (unsigned i = 0; i < record_count(); i++) {
		if (record_at(i)->callback == ompt_callback_work)
			CHECK_EQUAL(record_at(i)->count, iterations);
	}
}

static uint64_t dispatched(ompt_dispatch_t kind)
{
	uint64_t iterations = 0;

	for (unsigned i = 0; i < record_count(); i++) {
		if (record_at(i)->callback == ompt_callback_dispatch &&
		    record_at(i)->kind == (int)kind)
			iterations += kind == ompt_dispatch_section ? 1 : record_at(i)->count;
	}
	return iterations;
}

static void check_loops(void)
{
	unsigned threads = (unsigned)omp_get_max_threads();

	run(static_loop, &loop_here);
	check_work(ompt_work_loop_static, ITERATIONS);
	CHECK_EQUAL(dispatched(ompt_dispatch_ws_loop_chunk), ITERATIONS);
	run(static_loop, &sections_here);
	check_work(ompt_work_sections, ITERATIONS);
	CHECK_EQUAL(dispatched(ompt_dispatch_section), threads < ITERATIONS ? threads : ITERATIONS);
	run(dispatched_loops, NULL);
	CHECK_EQUAL(members, 2 * threads);
	CHECK_EQUAL(record_number(ompt_callback_work, ompt_work_loop_dynamic, ompt_scope_begin),
	    2 * threads);
	CHECK_EQUAL(dispatched(ompt_dispatch_ws_loop_chunk), 2 * ITERATIONS);
	CHECK_EQUAL(record_number(ompt_callback_mutex_acquired, ompt_mutex_ordered, 0), ITERATIONS);
	run(claimed_sections, NULL);
	check_work(ompt_work_sections, SECTIONS);
	CHECK_EQUAL(dispatched(ompt_dispatch_section), SECTIONS);
}

static void check_blocks(void)
{
	unsigned threads = (unsigned)omp_get_max_threads();
	const struct record *acquire;

	run(blocks, NULL);
	CHECK_EQUAL(
	    record_number(ompt_callback_work, ompt_work_single_executor, ompt_scope_begin), 1);
	CHECK_EQUAL(record_number(ompt_callback_work, ompt_work_single_other, ompt_scope_begin),
	    threads - 1);
	CHECK_EQUAL(record_number(ompt_callback_work, ompt_work_scope, ompt_scope_begin), threads);
	CHECK_EQUAL(record_number(ompt_callback_mutex_released, ompt_mutex_critical, 0), threads);
	acquire = record_find(0, ompt_callback_mutex_acquire, ompt_mutex_critical, 0);
	if (CHECK(acquire != NULL))
		CHECK_EQUAL(acquire->count, HINT);
	run(doacross, NULL);
	check_work(ompt_work_loop_static, ITERATIONS);
	CHECK_EQUAL(record_number(ompt_callback_dependences, -1, 0), 2 * ITERATIONS);
}

int main(void)
{
	if (!CHECK(record_is_on()))
		return check_result();
	check_loops();
	check_blocks();
	return check_result();
}
