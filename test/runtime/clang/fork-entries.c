/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions as clang's code begins them: with any number of arguments, with the clauses that are said
 * before, alone, and what the threads are called in the process.
 */
#include <stdarg.h>

#include "kmp-calls.h"

void __kmpc_fork_call_if(
    struct ident *, int32_t count, microtask *fn, int32_t condition, void *argument);
void __kmpc_serialized_parallel(struct ident *, int32_t gtid);
void __kmpc_end_serialized_parallel(struct ident *, int32_t gtid);
void __kmpc_push_num_threads_strict(
    struct ident *, int32_t gtid, int32_t count, int32_t severity, const char *message);
void __kmpc_push_num_threads_list(
    struct ident *, int32_t gtid, uint32_t length, const int32_t *counts);
void __kmpc_pop_num_threads(struct ident *, int32_t gtid);
int32_t __kmpc_global_num_threads(struct ident *);
int32_t __kmpc_bound_thread_num(struct ident *);
int32_t __kmpc_in_parallel(struct ident *);

static int32_t self(void)
{
	return __kmpc_global_thread_num(&here);
}

/* Argument i of n is 1000 n + i. A function looks at all that it was called with, and no more. */
#define WORD(n, i)      (void *)(intptr_t)(1000 * (n) + (i))
#define FOUR(n, i)      , WORD(n, i), WORD(n, (i) + 1), WORD(n, (i) + 2), WORD(n, (i) + 3)
#define SIXTEEN(n, i)   FOUR(n, i) FOUR(n, (i) + 4) FOUR(n, (i) + 8) FOUR(n, (i) + 12)
#define SIXTYFOUR(n, i) SIXTEEN(n, i) SIXTEEN(n, (i) + 16) SIXTEEN(n, (i) + 32) SIXTEEN(n, (i) + 48)
#define ALL512(n)                                                                                  \
	SIXTYFOUR(n, 0)                                                                            \
	SIXTYFOUR(n, 64)                                                                           \
	SIXTYFOUR(n, 128)                                                                          \
	SIXTYFOUR(n, 192) SIXTYFOUR(n, 256) SIXTYFOUR(n, 320) SIXTYFOUR(n, 384) SIXTYFOUR(n, 448)

static int expected_count, calls;

static void check_arguments(int32_t *gtid, int32_t *number, va_list list)
{
	CHECK_EQUAL(*gtid, self());
	CHECK_EQUAL(*number, omp_get_thread_num());
	for (int i = 0; i < expected_count; i++)
		CHECK_EQUAL((intptr_t)va_arg(list, void *), 1000 * expected_count + i);
	count(&calls);
}

static void any_count(int32_t *gtid, int32_t *number, ...)
{
	va_list list;

	va_start(list, number);
	check_arguments(gtid, number, list);
	va_end(list);
}

/* words: begins with a comma, unless it is empty. */
#define FORK(n, words)                                                                             \
	do {                                                                                       \
		expected_count = n;                                                                \
		calls = 0;                                                                         \
		__kmpc_fork_call(&here, n, any_count words);                                       \
		CHECK_EQUAL(calls, omp_get_max_threads());                                         \
	} while (0)
#define ONE(n, i) , WORD(n, i)

static void arguments(void)
{
	FORK(0, );
	FORK(1, ONE(1, 0));
	FORK(2, ONE(2, 0) ONE(2, 1));
	FORK(3, ONE(3, 0) ONE(3, 1) ONE(3, 2));
	FORK(4, FOUR(4, 0));
	FORK(5, FOUR(5, 0) ONE(5, 4));
	FORK(6, FOUR(6, 0) ONE(6, 4) ONE(6, 5));
	FORK(7, FOUR(7, 0) ONE(7, 4) ONE(7, 5) ONE(7, 6));
	FORK(8, FOUR(8, 0) FOUR(8, 4));
	FORK(9, FOUR(9, 0) FOUR(9, 4) ONE(9, 8));
	FORK(16, SIXTEEN(16, 0));
	FORK(64, SIXTYFOUR(64, 0));
	FORK(68, SIXTYFOUR(68, 0) FOUR(68, 64));
	FORK(128, SIXTYFOUR(128, 0) SIXTYFOUR(128, 64));
	FORK(132, SIXTYFOUR(132, 0) SIXTYFOUR(132, 64) FOUR(132, 128));
	FORK(512, ALL512(512));
}

static void note_size(int32_t *gtid, int32_t *number, void *data)
{
	(void)gtid;
	CHECK_EQUAL(__kmpc_bound_thread_num(&here), *number);
	if (*number == 0)
		*(int *)data = __kmpc_global_num_threads(&here);
}

/* What is said holds for the next region and no other one. */
static void clauses(void)
{
	static const int32_t list[] = {3, 5};
	int size = 0, usual = omp_get_max_threads();

	fork_threads(2, note_size, &size);
	CHECK_EQUAL(size, 2);
	fork_threads(0, note_size, &size);
	CHECK_EQUAL(size, usual);
	__kmpc_push_num_threads(&here, self(), 7);
	__kmpc_pop_num_threads(&here, self());
	fork_threads(0, note_size, &size);
	CHECK_EQUAL(size, usual);
	__kmpc_push_num_threads_list(&here, self(), 2, list);
	fork_threads(0, note_size, &size);
	CHECK_EQUAL(size, 3);
	__kmpc_push_num_threads_strict(&here, self(), 4, 2, "never shown");
	fork_threads(0, note_size, &size);
	CHECK_EQUAL(size, 4);
	__kmpc_push_num_threads_strict(&here, self(), 4, 2, "never shown");
	__kmpc_serialized_parallel(&here, self());
	__kmpc_end_serialized_parallel(&here, self());
	fork_threads(0, note_size, &size);
	CHECK_EQUAL(size, usual);
	__kmpc_fork_call_if(&here, 1, (microtask *)(uintptr_t)note_size, 0, &size);
	CHECK_EQUAL(size, 1);
	__kmpc_fork_call_if(&here, 1, (microtask *)(uintptr_t)note_size, 1, &size);
	CHECK_EQUAL(size, usual);
}

/*
 * The numbers of a list are those of the region and of the regions in it, the last one of all
 * further ones; OMP_NUM_THREADS's list yields, and what the program sets.
 */
enum { LISTED = 3, DEEPEST = 5 };

static int nested_sizes[DEEPEST];

static void open_next(int32_t *gtid, int32_t *number, void *data)
{
	int level = omp_get_level();

	(void)gtid;
	if (*number != 0)
		return;
	nested_sizes[level - 1] = omp_get_num_threads();
	if (level < DEEPEST)
		fork_threads(0, open_next, data);
}

static void set_then_open_next(int32_t *gtid, int32_t *number, void *data)
{
	if (*number == 0)
		omp_set_num_threads(4);
	open_next(gtid, number, data);
}

static void push_list(uint32_t length)
{
	int32_t list[LISTED] = {3, 1, 2};

	__kmpc_push_num_threads_list(&here, self(), length, list);
	memset(list, 0, sizeof(list)); /* the runtime has its own */
}

static void expect_sizes(int first, int second, int third, int further)
{
	CHECK_EQUAL(nested_sizes[0], first);
	CHECK_EQUAL(nested_sizes[1], second);
	CHECK_EQUAL(nested_sizes[2], third);
	CHECK_EQUAL(nested_sizes[3], further);
	CHECK_EQUAL(nested_sizes[4], further);
}

static void listed(void)
{
	int usual = omp_get_max_threads();

	omp_set_max_active_levels(DEEPEST);
	push_list(LISTED);
	fork_threads(0, open_next, NULL);
	expect_sizes(3, 1, 2, 2);
	push_list(LISTED);
	fork_threads(0, set_then_open_next, NULL);
	expect_sizes(3, 4, 2, 2);
	push_list(2);
	fork_threads(0, open_next, NULL);
	expect_sizes(3, 1, 1, 1);
	push_list(LISTED);
	__kmpc_serialized_parallel(&here, self());
	CHECK_EQUAL(omp_get_max_threads(), 1);
	nested_sizes[0] = 1;
	fork_threads(0, open_next, NULL);
	expect_sizes(1, 1, 2, 2);
	__kmpc_end_serialized_parallel(&here, self());
	push_list(LISTED);
	__kmpc_pop_num_threads(&here, self());
	omp_set_num_threads(2);
	fork_threads(0, open_next, NULL);
	expect_sizes(2, 2, 2, 2);
	omp_set_num_threads(usual);
	omp_set_max_active_levels(1);
}

static void alone(void)
{
	__kmpc_serialized_parallel(&here, self());
	CHECK_EQUAL(omp_get_level(), 1);
	CHECK_EQUAL(omp_get_num_threads(), 1);
	CHECK_EQUAL(__kmpc_in_parallel(&here), 0);
	__kmpc_serialized_parallel(&here, self());
	CHECK_EQUAL(omp_get_level(), 2);
	__kmpc_end_serialized_parallel(&here, self());
	CHECK_EQUAL(omp_get_level(), 1);
	__kmpc_end_serialized_parallel(&here, self());
	CHECK_EQUAL(omp_get_level(), 0);
}

/* Numbers of threads that exist together are different, and small. */
enum { MOST = 4096 };

static int numbers[MOST];

static void note_number(int32_t *gtid, int32_t *number, void *data)
{
	(void)number;
	(void)data;
	if (CHECK(*gtid >= 0 && *gtid < MOST))
		CHECK_EQUAL(count(&numbers[*gtid]), 0);
}

static void numbered(void)
{
	for (int round = 0; round < 3; round++) {
		memset(numbers, 0, sizeof(numbers));
		fork_threads(5 + round, note_number, NULL);
	}
}

int main(void)
{
	arguments();
	clauses();
	listed();
	alone();
	numbered();
	return check_result();
}
