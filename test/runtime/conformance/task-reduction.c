/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Task reductions: task_reduction on taskgroup, reduction(task,) on parallel, for, sections and
 * scope, and in_reduction on tasks and taskloops take part in one reduction, arrays and structures
 * included. OpenMP 5.1, 2.21.5.5 and 2.21.5.6.
 */
#include <omp.h>

#include "check.h"

struct tally {
	long sum;
	long members;
};

#pragma omp declare reduction(tally                                                                \
			      : struct tally                                                       \
			      : omp_out.sum += omp_in.sum, omp_out.members += omp_in.members)      \
    initializer(omp_priv = (struct tally){0, 0})

static void on_taskgroup(void)
{
	long sum = 1000;
	struct tally tally = {5, 0};
	int buckets[8] = {0};

#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup task_reduction(+ : sum, buckets) task_reduction(tally : tally)
		{
			for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : sum, buckets) in_reduction(tally : tally)
				{
					sum += i;
					buckets[i % 8]++;
					tally.sum += 2 * i;
					tally.members++;
				}
			}
#pragma omp taskloop in_reduction(+ : sum) nogroup
			for (int i = 0; i < 50; i++)
				sum += 1;
		}
		CHECK_EQUAL(sum, 1000 + 4950 + 50);
		CHECK_EQUAL(tally.sum, 5 + 9900);
		CHECK_EQUAL(tally.members, 100);
		for (int i = 0; i < 8; i++)
			CHECK_EQUAL(buckets[i], 12 + (i < 4));
	}
}

static long visit(int depth)
{
	return depth == 0 ? 1 : 2 * visit(depth - 1) + 1;
}

static long nodes[1];
#ifdef __clang__ /* clang 19 loses the address of a pointer's section */
#define REDUCED nodes
#define SECTION nodes
#else
#define REDUCED here
#define SECTION here[:1]
#endif

/* Descendants name the reduction of an enclosing group, through any depth of tasks. */
static void descend(int depth, long *here)
{
#pragma omp task in_reduction(+ : SECTION) firstprivate(depth)
	{
		REDUCED[0] += 1;
		if (depth > 0) {
			descend(depth - 1, nodes);
			descend(depth - 1, nodes);
		}
	}
}

static void through_descendants(void)
{
	nodes[0] = 0;
#pragma omp parallel
#pragma omp single
	{
		long *here = nodes;

#pragma omp taskgroup task_reduction(+ : SECTION)
		descend(6, here);
		CHECK_EQUAL(nodes[0], visit(6));
	}
}

static void on_parallel(int threads)
{
	long sum = 7;

#pragma omp parallel reduction(task, + : sum)
	{
		sum += 1;
		for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
			sum += 10;
		}
	}
	CHECK_EQUAL(sum, 7 + 101L * threads);
}

static void on_worksharing(int threads)
{
	long sum = 0;
	long product = 1;
	int both = 0;

#pragma omp parallel
	{
#pragma omp for reduction(task, + : sum) schedule(dynamic)
		for (int i = 0; i < 40; i++) {
			sum += i;
#pragma omp task in_reduction(+ : sum)
			sum += 1000;
		}
		CHECK_EQUAL(sum, 780 + 40000);
#pragma omp sections reduction(task, * : product)
		{
#pragma omp section
			{
				product *= 2;
#pragma omp task in_reduction(* : product)
				product *= 3;
			}
#pragma omp section
			product *= 5;
		}
		CHECK_EQUAL(product, 30);
#ifdef __clang__ /* clang 19 has no scope with tasks */
#pragma omp for reduction(task, + : both) schedule(static)
		for (int i = 0; i < threads; i++) {
#else
#pragma omp scope reduction(task, + : both)
		{
#endif
			both++;
#pragma omp task in_reduction(+ : both)
			both += 2;
		}
		CHECK_EQUAL(both, 3 * threads);
	}
}

static void nested_groups(void)
{
	long outer = 0;
	long inner_total = 0;

#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : outer)
	for (int i = 0; i < 5; i++) {
#pragma omp task in_reduction(+ : outer)
		{
			long inner = 0;

#pragma omp taskgroup task_reduction(+ : inner)
			for (int j = 0; j < 5; j++) {
#pragma omp task in_reduction(+ : inner) in_reduction(+ : outer)
				{
					inner += j;
					outer += 1;
				}
			}
#pragma omp atomic
			inner_total += inner;
			outer += 100;
		}
	}
	CHECK_EQUAL(inner_total, 50);
	CHECK_EQUAL(outer, 525);
}

int main(void)
{
	int threads = omp_get_max_threads();

	omp_set_dynamic(0);
	for (int i = 0; i < 10; i++) {
		on_taskgroup();
		through_descendants();
		on_parallel(threads);
		on_worksharing(threads);
		nested_groups();
	}
	return check_result();
}
