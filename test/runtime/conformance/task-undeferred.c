/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * if(false), final and mergeable: an undeferred task is complete before its creator continues,
 * final makes all descendants included tasks, and the children of an undeferred task may still be
 * deferred. OpenMP 5.1, 2.12.1 and 3.5.3.
 */
#include <omp.h>

#include "check.h"

static void undeferred(void)
{
	int value = 0;
	int creator = omp_get_thread_num();

#pragma omp task if (0) shared(value) firstprivate(creator)
	{
		CHECK_EQUAL(omp_get_thread_num(), creator);
		CHECK_EQUAL(omp_in_final(), 0);
		value = 1;
	}
	CHECK_EQUAL(value, 1);
}

static void undeferred_with_children(void)
{
	int done = 0;

#pragma omp task if (0) shared(done)
	{
		for (int i = 0; i < 5; i++) {
#pragma omp task shared(done)
			count(&done);
		}
#pragma omp taskwait
		CHECK_EQUAL(__atomic_load_n(&done, __ATOMIC_RELAXED), 5);
	}
	CHECK_EQUAL(done, 5);
}

static void final_descendants(int depth, int creator)
{
	int value = 0;

	if (depth == 0)
		return;
#pragma omp task shared(value) firstprivate(depth, creator)
	{
		CHECK_EQUAL(omp_in_final(), 1);
		CHECK_EQUAL(omp_get_thread_num(), creator);
		final_descendants(depth - 1, creator);
		value = depth;
	}
	CHECK_EQUAL(value, depth); /* included: executed at once, without a taskwait */
}

static void final_tasks(int condition)
{
	int done = 0;

#pragma omp task final(condition) shared(done)
	{
		CHECK_EQUAL(omp_in_final(), condition != 0);
		if (condition)
			final_descendants(4, omp_get_thread_num());
		count(&done);
	}
#pragma omp taskwait
	CHECK_EQUAL(done, 1);
	CHECK_EQUAL(omp_in_final(), 0);
}

static void mergeable_and_untied(void)
{
	int done = 0;
	int copy = 3;

#pragma omp task mergeable if (0) firstprivate(copy) shared(done)
	count(&done);
#pragma omp task mergeable final(1) firstprivate(copy) shared(done)
	count(&done);
#pragma omp task untied firstprivate(copy) shared(done)
	{
		CHECK_EQUAL(copy, 3);
#pragma omp task untied shared(done)
		count(&done);
#pragma omp taskyield
#pragma omp taskwait
		count(&done);
	}
#pragma omp taskwait
	CHECK_EQUAL(done, 4);
	CHECK_EQUAL(copy, 3);
}

/* An undeferred task with dependences runs after the tasks it depends on. */
static void undeferred_with_depend(void)
{
	int value = 0;

#pragma omp task depend(out : value) shared(value)
	{
		dawdle(2000);
		value = 5;
	}
#pragma omp task if (0) depend(inout : value) shared(value)
	{
		CHECK_EQUAL(value, 5);
		value = 6;
	}
	CHECK_EQUAL(value, 6);
}

int main(void)
{
	omp_set_dynamic(0);
	for (int i = 0; i < 10; i++) {
#pragma omp parallel
		{
			undeferred();
			undeferred_with_children();
			final_tasks(0);
			final_tasks(1);
			mergeable_and_untied();
			undeferred_with_depend();
		}
	}
	final_tasks(1);
	undeferred();
	return check_result();
}
