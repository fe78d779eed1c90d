/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The locks of two compilers in one process: clang's nestable lock has 8 bytes, gcc's 16 (see
 * locks-gcc.c). Each works as such in the hands of either compiler's threads, and writes nothing
 * beside itself. Then the same locks as calls of the compiler, which icx makes.
 */
#include <omp.h>
#include <stdint.h>

#include "check.h"

#define TURNS 200
#define GUARD UINT64_C(0x5afe5afe5afe5afe)

struct gcc_locks;
struct gcc_locks *gcc_new(void);
void gcc_add(struct gcc_locks *locks, long *plain);
void gcc_free(struct gcc_locks *locks, int *errors);

static struct {
	uint64_t before;
	omp_nest_lock_t nest;
	uint64_t between;
	omp_lock_t simple;
	uint64_t after;
} own = {.before = GUARD, .between = GUARD, .after = GUARD};

static void add(long *plain)
{
	omp_set_nest_lock(&own.nest);
	CHECK_EQUAL(omp_test_nest_lock(&own.nest), 2);
	*plain += 1;
	omp_unset_nest_lock(&own.nest);
	omp_unset_nest_lock(&own.nest);
	while (!omp_test_lock(&own.simple))
		sched_yield();
	*plain += 0;
	omp_unset_lock(&own.simple);
}

static void two_layouts(int threads)
{
	struct gcc_locks *others = gcc_new();
	long plain = 0, gcc_plain = 0;
	int errors = 0;

	omp_init_nest_lock(&own.nest);
	omp_init_lock_with_hint(&own.simple, omp_sync_hint_contended);
#pragma omp parallel
	for (int i = 0; i < TURNS; i++) {
		add(&plain);
		gcc_add(others, &gcc_plain);
	}
	CHECK_EQUAL(plain, (long)TURNS * threads);
	CHECK_EQUAL(gcc_plain, (long)TURNS * threads);
	gcc_free(others, &errors);
	CHECK_EQUAL(errors, 0);
	omp_destroy_nest_lock(&own.nest);
	omp_destroy_lock(&own.simple);
	CHECK(own.before == GUARD && own.between == GUARD && own.after == GUARD);
}

/* Another task does not get a nestable lock that the implicit task holds. */
static void tasks_own(void)
{
	omp_nest_lock_t lock;
	int taken = -1;

	omp_init_nest_lock_with_hint(&lock, omp_sync_hint_none);
	omp_set_nest_lock(&lock);
#pragma omp task shared(lock, taken) if (0)
	taken = omp_test_nest_lock(&lock);
	CHECK_EQUAL(taken, 0);
	omp_unset_nest_lock(&lock);
	omp_destroy_nest_lock(&lock);
}

void __kmpc_init_lock(void *place, int gtid, void **lock);
void __kmpc_init_lock_with_hint(void *place, int gtid, void **lock, uintptr_t hint);
void __kmpc_destroy_lock(void *place, int gtid, void **lock);
void __kmpc_set_lock(void *place, int gtid, void **lock);
void __kmpc_unset_lock(void *place, int gtid, void **lock);
int __kmpc_test_lock(void *place, int gtid, void **lock);
void __kmpc_init_nest_lock(void *place, int gtid, void **lock);
void __kmpc_init_nest_lock_with_hint(void *place, int gtid, void **lock, uintptr_t hint);
void __kmpc_destroy_nest_lock(void *place, int gtid, void **lock);
void __kmpc_set_nest_lock(void *place, int gtid, void **lock);
void __kmpc_unset_nest_lock(void *place, int gtid, void **lock);
int __kmpc_test_nest_lock(void *place, int gtid, void **lock);
int __kmpc_global_thread_num(void *place);

/* ident_t: where the call is. */
static struct {
	int reserved, flags, others[2];
	const char *source;
} here = {.flags = 2, .source = ";locks.c;calls;1;1;;"};

static void calls(int threads)
{
	void *simple[2], *nest[2];
	long plain = 0;
	int first = __kmpc_global_thread_num(&here);

	__kmpc_init_lock(&here, first, &simple[0]);
	__kmpc_init_lock_with_hint(&here, first, &simple[1], omp_sync_hint_uncontended);
	__kmpc_init_nest_lock(&here, first, &nest[0]);
	__kmpc_init_nest_lock_with_hint(&here, first, &nest[1], omp_sync_hint_contended);
#pragma omp parallel
	for (int i = 0; i < TURNS; i++) {
		int gtid = __kmpc_global_thread_num(&here), which = i & 1;

		__kmpc_set_lock(&here, gtid, &simple[0]);
		while (!__kmpc_test_lock(&here, gtid, &simple[1]))
			sched_yield();
		__kmpc_set_nest_lock(&here, gtid, &nest[which]);
		CHECK_EQUAL(__kmpc_test_nest_lock(&here, gtid, &nest[which]), 2);
		plain++;
		__kmpc_unset_nest_lock(&here, gtid, &nest[which]);
		__kmpc_unset_nest_lock(&here, gtid, &nest[which]);
		__kmpc_unset_lock(&here, gtid, &simple[1]);
		__kmpc_unset_lock(&here, gtid, &simple[0]);
	}
	CHECK_EQUAL(plain, (long)TURNS * threads);
	for (int i = 0; i < 2; i++) {
		__kmpc_destroy_lock(&here, first, &simple[i]);
		__kmpc_destroy_nest_lock(&here, first, &nest[i]);
	}
}

int main(void)
{
	int threads = omp_get_max_threads();

	two_layouts(threads);
	calls(threads);
	tasks_own();
	return check_result();
}
