/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions by all answers that the entry points may give, with and without atomic operations, of
 * few and many variables; the blocking form shows the result to all members. With
 * KMP_DETERMINISTIC_REDUCTION the members combine in the order of their numbers.
 */
#include "kmp-calls.h"

typedef void combine_fn(void *, void *);

int32_t __kmpc_reduce(struct ident *, int32_t gtid, int32_t variables, size_t size, void *data,
    combine_fn *combine, int32_t lock[8]);
int32_t __kmpc_reduce_nowait(struct ident *, int32_t gtid, int32_t variables, size_t size,
    void *data, combine_fn *combine, int32_t lock[8]);
void __kmpc_end_reduce(struct ident *, int32_t gtid, int32_t lock[8]);
void __kmpc_end_reduce_nowait(struct ident *, int32_t gtid, int32_t lock[8]);

enum { ROUNDS = 100, VARIABLES = 6, ATOMIC = 0x10 };

static struct ident with_atomics = {0, 2 | ATOMIC, 0, 0, ";test;function;1;1;;"};
static int32_t lock[8];

struct sums {
	bool atomics;
	int variables;
	long values[VARIABLES], blocking[ROUNDS];
	int order[1024], combined;
};

static void combine(void *to, void *from)
{
	long **mine = to, **others = from;

	for (int i = 0; i < VARIABLES; i++)
		*mine[i] += *others[i];
}

/* As clang's code does what it is answered. */
static void add(struct sums *sums, long *original, long *copies, int32_t answer)
{
	CHECK(answer >= 0 && answer <= 2);
	CHECK(answer != 2 || sums->atomics);
	for (int i = 0; i < sums->variables; i++) {
		if (answer == 1)
			original[i] += copies[i];
		else if (answer == 2)
			__atomic_add_fetch(&original[i], copies[i], __ATOMIC_RELAXED);
	}
}

static void nowait(int32_t *gtid, int32_t *number, void *data)
{
	struct sums *sums = data;
	struct ident *ident = sums->atomics ? &with_atomics : &here;

	for (int round = 0; round < ROUNDS; round++) {
		long copies[VARIABLES], *list[VARIABLES];
		int32_t answer;
		for (int i = 0; i < VARIABLES; i++) {
			copies[i] = *number + i;
			list[i] = &copies[i];
		}
		answer = __kmpc_reduce_nowait(ident, *gtid, sums->variables,
		    (size_t)sums->variables * sizeof(list[0]), list, combine, lock);
		add(sums, sums->values, copies, answer);
		if (answer == 1)
			__kmpc_end_reduce_nowait(ident, *gtid, lock);
	}
}

static void blocking(int32_t *gtid, int32_t *number, void *data)
{
	struct sums *sums = data;
	struct ident *ident = sums->atomics ? &with_atomics : &here;
	long threads = omp_get_num_threads();

	for (int round = 0; round < ROUNDS; round++) {
		long copy = *number + round, *list[VARIABLES] = {&copy};
		struct sums one = {.atomics = sums->atomics, .variables = 1};
		int32_t answer =
		    __kmpc_reduce(ident, *gtid, 1, sizeof(list[0]), list, combine, lock);
		add(&one, &sums->blocking[round], &copy, answer);
		if (answer != 0)
			__kmpc_end_reduce(ident, *gtid, lock);
		CHECK_EQUAL(sums->blocking[round], threads * (threads - 1) / 2 + round * threads);
	}
	if (*number == 0)
		sums->combined = (int)threads;
}

static void in_order(int32_t *gtid, int32_t *number, void *data)
{
	struct sums *sums = data;
	struct ident *ident = sums->atomics ? &with_atomics : &here;

	for (int round = 0; round < 3; round++) {
		long copy = 0, *list[VARIABLES] = {&copy};
		dawdle(100 * (omp_get_num_threads() - *number));
		CHECK_EQUAL(__kmpc_reduce_nowait(ident, *gtid, 1, 8, list, combine, lock), 1);
		sums->order[sums->combined++] = *number;
		__kmpc_end_reduce_nowait(ident, *gtid, lock);
		__kmpc_barrier(&here, *gtid);
	}
}

static void check(bool atomics, int variables)
{
	struct sums sums = {.atomics = atomics, .variables = variables};
	long threads;

	fork_threads(0, blocking, &sums);
	threads = sums.combined;
	fork_threads(0, nowait, &sums);
	for (int i = 0; i < variables; i++)
		CHECK_EQUAL(sums.values[i], ROUNDS * (threads * (threads - 1) / 2 + i * threads));
}

static void check_order(bool atomics)
{
	struct sums sums = {.atomics = atomics, .variables = 1};
	int threads;

	fork_threads(0, in_order, &sums);
	threads = sums.combined / 3;
	for (int i = 0; i < sums.combined; i++)
		CHECK_EQUAL(sums.order[i], i % threads);
}

int main(int arguments_count, char **arguments)
{
	(void)arguments_count;
	for (int atomics = 0; atomics <= 1; atomics++) {
		check(atomics, 1);
		check(atomics, VARIABLES);
	}
	check_needs_environment(arguments, "KMP_DETERMINISTIC_REDUCTION", "1");
	check_order(false);
	check_order(true);
	return check_result();
}
