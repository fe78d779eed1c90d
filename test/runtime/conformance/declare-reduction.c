/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * declare reduction: user-defined combiners and initialisers on structures, in parallel, for,
 * sections, scope and taskloop; private copies start as the initialiser says. OpenMP 5.1, 2.21.5.7.
 */
#include <omp.h>

#include "check.h"

struct range {
	int low;
	int high;
	long members;
};

static void range_join(struct range *into, const struct range *from)
{
	into->low = from->low < into->low ? from->low : into->low;
	into->high = from->high > into->high ? from->high : into->high;
	into->members += from->members;
}

static void range_add(struct range *range, int value)
{
	struct range one = {value, value, 1};

	range_join(range, &one);
}

#pragma omp declare reduction(join                                                                 \
			      : struct range                                                       \
			      : range_join(&omp_out, &omp_in))                                     \
    initializer(omp_priv = (struct range){INT_MAX, INT_MIN, 0})
/* Not commutative by accident: the modulus keeps it exact whatever the grouping. */
#pragma omp declare reduction(modular:long                                                         \
			      : omp_out = (omp_out + omp_in) % 1009) initializer(omp_priv = 0)
#pragma omp declare reduction(from_original:int                                                    \
			      : omp_out += omp_in) initializer(omp_priv = omp_orig - omp_orig)

static const struct range nothing = {INT_MAX, INT_MIN, 0};

static void check_range(struct range range, int low, int high, long members)
{
	CHECK_EQUAL(range.low, low);
	CHECK_EQUAL(range.high, high);
	CHECK_EQUAL(range.members, members);
}

static void on_loops(void)
{
	struct range range = nothing;
	long sum = 5;
	int original = 40;

#pragma omp parallel for schedule(dynamic, 3) reduction(join                                       \
							: range) reduction(modular                 \
									   : sum)                  \
    reduction(from_original                                                                        \
	      : original)
	for (int i = -50; i < 250; i++) {
		range_add(&range, i);
		sum = (sum + i + 50) % 1009;
		original++;
	}
	check_range(range, -50, 249, 300);
	CHECK_EQUAL(sum, (5 + 299 * 300 / 2) % 1009);
	CHECK_EQUAL(original, 340);
}

static void on_parallel(void)
{
	struct range range = {1000, 1000, 1};
	int threads = 0;

#pragma omp parallel reduction(join : range)
	{
#pragma omp single
		threads = omp_get_num_threads();
		range_add(&range, omp_get_thread_num());
	}
	check_range(range, 0, 1000, threads + 1);
}

static void on_sections(void)
{
	struct range range = nothing;

#pragma omp parallel sections reduction(join : range)
	{
#pragma omp section
		range_add(&range, 4);
#pragma omp section
		range_add(&range, -4);
#pragma omp section
		range_add(&range, 14);
	}
	check_range(range, -4, 14, 3);
}

static void on_scope(void)
{
#ifndef __clang__ /* clang 19 does not compile the construct */
	struct range range = nothing;

#pragma omp parallel num_threads(3)
#pragma omp scope reduction(join : range)
	range_add(&range, 10 * omp_get_thread_num());
	check_range(range, 0, 20, 3);
#endif
}

static void on_taskloop(void)
{
	struct range range = nothing;

#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(join : range) grainsize(9)
	for (int i = 0; i < 100; i++)
		range_add(&range, i);
	check_range(range, 0, 99, 100);
}

int main(void)
{
	omp_set_dynamic(0);
	for (int i = 0; i < 20; i++) {
		on_loops();
		on_parallel();
		on_sections();
		on_scope();
		on_taskloop();
	}
	return check_result();
}
