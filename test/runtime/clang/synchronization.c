/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers in two halves, single with copied values, masked blocks, critical sections and ordered
 * ones outside of loops, by the entry points of clang's code.
 */
#include "kmp-calls.h"

int32_t __kmpc_barrier_master(struct ident *, int32_t gtid);
int32_t __kmpc_barrier_master_nowait(struct ident *, int32_t gtid);
void __kmpc_end_barrier_master(struct ident *, int32_t gtid);
int32_t __kmpc_master(struct ident *, int32_t gtid);
void __kmpc_end_master(struct ident *, int32_t gtid);
int32_t __kmpc_masked(struct ident *, int32_t gtid, int32_t filter);
void __kmpc_end_masked(struct ident *, int32_t gtid);
int32_t __kmpc_single(struct ident *, int32_t gtid);
void __kmpc_end_single(struct ident *, int32_t gtid);
void __kmpc_copyprivate(
    struct ident *, int32_t gtid, size_t size, void *data, void (*copy)(void *, void *), int32_t);
void *__kmpc_copyprivate_light(struct ident *, int32_t gtid, void *data);
void __kmpc_critical(struct ident *, int32_t gtid, int32_t name[8]);
void __kmpc_critical_with_hint(struct ident *, int32_t gtid, int32_t name[8], uint32_t hint);
void __kmpc_end_critical(struct ident *, int32_t gtid, int32_t name[8]);
void __kmpc_flush(struct ident *);
void __kmpc_scope(struct ident *, int32_t gtid, void *);
void __kmpc_end_scope(struct ident *, int32_t gtid, void *);
void __kmpc_ordered(struct ident *, int32_t gtid);
void __kmpc_end_ordered(struct ident *, int32_t gtid);

enum { ROUNDS = 50 };

static int threads_of_team;

/* The master sees what the others wrote before it continues, and they wait until it releases them.
 */
static void barriers_in_halves(int32_t *gtid, int32_t *number, void *data)
{
	static int arrived, opened;
	int *turns = data, threads = omp_get_num_threads();

	for (int i = 1; i <= ROUNDS; i++) {
		count(&arrived);
		if (__kmpc_barrier_master(&here, *gtid)) {
			CHECK_EQUAL(*number, 0);
			CHECK_EQUAL(__atomic_load_n(&arrived, __ATOMIC_RELAXED), i * threads);
			dawdle(1000);
			*turns = opened = i;
			__kmpc_end_barrier_master(&here, *gtid);
		}
		CHECK_EQUAL(opened, i);
		__kmpc_barrier(&here, *gtid);
	}
	if (__kmpc_barrier_master_nowait(&here, *gtid)) {
		CHECK_EQUAL(*number, 0);
		*turns = -1;
	}
}

/* Nothing holds the others back: the master can wait for them. */
static void half_a_barrier(int32_t *gtid, int32_t *number, void *data)
{
	int *passed = data;

	(void)number;
	if (__kmpc_barrier_master_nowait(&here, *gtid))
		CHECK(await_flag(passed, omp_get_num_threads() - 1));
	else
		raise_flag(passed);
}

struct values {
	int *first;
	double *second;
};

static void copy(void *to, void *from)
{
	struct values *mine = to;
	const struct values *other = from;

	*mine->first = *other->first;
	*mine->second = *other->second;
}

static void singles(int32_t *gtid, int32_t *number, void *data)
{
	int *times = data;

	(void)number;
	for (int i = 1; i <= ROUNDS; i++) {
		int value = -i, did = 0, *shared;
		double more = 0;
		struct values values = {&value, &more};
		if (__kmpc_single(&here, *gtid)) {
			count(times);
			value = i;
			more = 0.5 * i;
			did = 1;
			__kmpc_end_single(&here, *gtid);
		}
		__kmpc_copyprivate(&here, *gtid, sizeof(values), &values, copy, did);
		CHECK_EQUAL(value, i);
		CHECK(more == 0.5 * i);
		value = did ? 7 * i : -i;
		shared = __kmpc_copyprivate_light(&here, *gtid, did ? &value : NULL);
		CHECK_EQUAL(*shared, 7 * i);
		__kmpc_barrier(&here, *gtid);
	}
}

static void masked_blocks(int32_t *gtid, int32_t *number, void *data)
{
	int *times = data;

	for (int filter = -1; filter <= omp_get_num_threads(); filter++) {
		if (!__kmpc_masked(&here, *gtid, filter))
			continue;
		CHECK_EQUAL(*number, filter);
		count(times);
		__kmpc_end_masked(&here, *gtid);
	}
	if (__kmpc_master(&here, *gtid)) {
		CHECK_EQUAL(*number, 0);
		count(times);
		__kmpc_end_master(&here, *gtid);
	}
	if (*number == 0)
		threads_of_team = omp_get_num_threads();
}

/* The lock is in the name's own words, of which no more than the first few are used. */
static void critical_sections(int32_t *gtid, int32_t *number, void *data)
{
	static int32_t name[9] = {[8] = 4711};
	int *sum = data;

	(void)number;
	for (int i = 0; i < ROUNDS; i++) {
		__kmpc_critical(&here, *gtid, name);
		++*sum;
		__kmpc_end_critical(&here, *gtid, name);
		__kmpc_critical_with_hint(&here, *gtid, name, omp_sync_hint_contended);
		++*sum;
		__kmpc_end_critical(&here, *gtid, name);
		__kmpc_flush(&here);
	}
	CHECK_EQUAL(name[8], 4711);
}

/* An ordered construct that binds to no loop, and scopes, one in the other. */
static void others(int32_t *gtid, int32_t *number, void *data)
{
	(void)number;
	__kmpc_scope(&here, *gtid, NULL);
	__kmpc_scope(&here, *gtid, NULL);
	__kmpc_ordered(&here, *gtid);
	count(data);
	__kmpc_end_ordered(&here, *gtid);
	__kmpc_end_scope(&here, *gtid, NULL);
	__kmpc_end_scope(&here, *gtid, NULL);
	__kmpc_barrier(&here, *gtid);
	CHECK_EQUAL(__atomic_load_n((int *)data, __ATOMIC_RELAXED), omp_get_num_threads());
}

/* By a thread in no region, whose first call of the runtime it may be. */
static void outside_of_regions(void)
{
	static int32_t name[8];

	__kmpc_flush(&here);
	__kmpc_critical(&here, 0, name);
	__kmpc_end_critical(&here, 0, name);
	__kmpc_barrier(&here, 0);
	CHECK_EQUAL(__kmpc_single(&here, 0), 1);
	__kmpc_end_single(&here, 0);
	CHECK_EQUAL(__kmpc_master(&here, 0), 1);
	__kmpc_end_master(&here, 0);
}

int main(void)
{
	int turns = 0, passed = 0, times = 0, sum = 0, blocks = 0, met = 0;

	outside_of_regions();
	fork_threads(0, barriers_in_halves, &turns);
	CHECK_EQUAL(turns, -1);
	fork_threads(0, half_a_barrier, &passed);
	fork_threads(0, singles, &times);
	CHECK_EQUAL(times, ROUNDS);
	fork_threads(0, masked_blocks, &blocks);
	CHECK_EQUAL(blocks, threads_of_team + 1);
	fork_threads(0, critical_sections, &sum);
	CHECK_EQUAL(sum, 2 * ROUNDS * threads_of_team);
	fork_threads(0, others, &met);
	return check_result();
}
