/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskwait with depend waits for the siblings that it depends on, and not for others that cannot
 * end before it has; taskwait nowait is a dependence alone. OpenMP 5.1, 2.19.5.
 */
#include <omp.h>

#include "check.h"

static void waits_for_its_dependences_only(void)
{
	int released = 0;
	int value = 0;
	int other = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
		/* Ends only after the taskwait has returned: were it waited for, this would time
		 * out. */
#pragma omp task depend(out : other)
		{
			CHECK(await_flag(&released, 1));
			other = 1;
		}
#pragma omp task depend(out : value)
		{
			dawdle(300);
			value = 1;
		}
#pragma omp taskwait depend(in : value)
		CHECK_EQUAL(value, 1);
		raise_flag(&released);
#pragma omp taskwait depend(in : value, other)
		CHECK_EQUAL(other, 1);
	}
}

static void waits_for_readers_too(void)
{
	int value = 3;
	int readers = 0;

#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 10; i++) {
#pragma omp task depend(in : value)
			{
				dawdle(100);
				count(&readers);
			}
		}
#pragma omp taskwait depend(out : value)
		CHECK_EQUAL(readers, 10);
		for (int i = 0; i < 10; i++) {
#pragma omp task depend(mutexinoutset : value)
			value++;
		}
#pragma omp taskwait depend(in : value)
		CHECK_EQUAL(value, 13);
	}
}

static void nothing_to_wait_for(void)
{
	int value = 0;

#pragma omp taskwait depend(inout : value)
	value = 1;
#pragma omp parallel
	{
		int own_value = 0;

#pragma omp taskwait depend(out : own_value)
#pragma omp task depend(out : own_value) shared(own_value)
		own_value = 1;
#pragma omp taskwait depend(in : own_value)
		CHECK_EQUAL(own_value, 1);
	}
	CHECK_EQUAL(value, 1);
}

int main(void)
{
	omp_set_dynamic(0);
	for (int i = 0; i < 30; i++) {
		waits_for_its_dependences_only();
		waits_for_readers_too();
		nothing_to_wait_for();
	}
	return check_result();
}
