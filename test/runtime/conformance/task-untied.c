/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Untied tasks: what they wait for is executed though the thread that generated them waits in a
 * loop of the program, and a task that waits is suspended for its own descendants only. OpenMP 5.2,
 * 12.9.
 */
#include <omp.h>

#include "check.h"

static void untied_with_tied_child(void)
{
	int ran = 0, done = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task untied shared(ran, done)
		{
#pragma omp task shared(ran)
			count(&ran);
#pragma omp taskwait
			CHECK_EQUAL(ran, 1);
			raise_flag(&done);
		}
		if (omp_get_num_threads() > 1)
			CHECK(await_flag(&done, 1));
	}
	CHECK_EQUAL(done, 1);
}

static int fib(int n)
{
	int one, two;

	if (n < 2)
		return n;
#pragma omp task untied shared(one)
	one = fib(n - 1);
#pragma omp task shared(two)
	two = fib(n - 2);
#pragma omp taskwait
	return one + two;
}

static void untied_and_tied_children(void)
{
	int sum = 0;

#pragma omp parallel
#pragma omp single
	sum = fib(15);
	CHECK_EQUAL(sum, 610);
}

/*
 * A task that holds a lock waits for a child that another thread executes; untied tasks that want
 * the lock are not executed above it, or it would never be released.
 */
static void lock_across_a_wait(void)
{
	omp_lock_t lock;
	int inside = 0, wrong = 0, ended = 0;

	omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 40; i++) {
#pragma omp task untied shared(lock, inside, wrong, ended)
		{
			omp_set_lock(&lock);
			if (count(&inside) != 0)
				count(&wrong);
			for (int child = 0; child < 2; child++) {
#pragma omp task
				dawdle(1000);
			}
#pragma omp taskwait
			__atomic_fetch_sub(&inside, 1, __ATOMIC_RELAXED);
			omp_unset_lock(&lock);
			count(&ended);
		}
	}
	omp_destroy_lock(&lock);
	CHECK_EQUAL(wrong, 0);
	CHECK_EQUAL(ended, 40);
}

/*
 * On one thread: the child of the waiting task comes after a child of its parent in the queue,
 * because an event that it fulfils makes that one ready after the child.
 */
static void child_behind_another(void)
{
	int order = 0;

#pragma omp parallel num_threads(1) shared(order)
	{
		omp_event_handle_t outer;
		char cell[1];

		(void)cell; /* gcc counts no use in a clause */

#pragma omp task detach(outer) depend(out : cell[0]) firstprivate(order)
		(void)order;
#pragma omp task depend(in : cell[0]) shared(order)
		CHECK_EQUAL(count(&order), 1);
#pragma omp task firstprivate(outer) shared(order)
		{
			omp_event_handle_t inner;
			int own = 0;

#pragma omp task detach(inner) depend(out : own) firstprivate(own)
			(void)own;
#pragma omp task depend(in : own) shared(order)
			CHECK_EQUAL(count(&order), 0);
			omp_fulfill_event(inner);
			omp_fulfill_event(outer);
#pragma omp taskwait
		}
	}
	CHECK_EQUAL(order, 2);
}

int main(void)
{
	omp_set_dynamic(0);
	for (int i = 0; i < 10; i++) {
		untied_with_tied_child();
		untied_and_tied_children();
		lock_across_a_wait();
		child_behind_another();
	}
	return check_result();
}
