/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * depobj: a dependence kept in an object orders tasks like the clause it was made from, can change
 * its type, stand beside other objects, and mix with ordinary clauses.
 * OpenMP 5.1, 2.19.10.1.
 */
#include <omp.h>

#include "check.h"

static void writer_then_readers(void)
{
	int value = 0;
	int readers = 0;
	omp_depend_t write_value;
	omp_depend_t read_value;

#pragma omp depobj(write_value) depend(out : value)
#pragma omp depobj(read_value) depend(in : value)
#pragma omp parallel
#pragma omp single
	for (int round = 1; round <= 10; round++) {
#pragma omp task depend(depobj : write_value)
		{
			CHECK_EQUAL(__atomic_load_n(&readers, __ATOMIC_RELAXED), (round - 1) * 3);
			value = round;
		}
		for (int i = 0; i < 3; i++) {
#pragma omp task depend(depobj : read_value)
			{
				CHECK_EQUAL(value, round);
				count(&readers);
			}
		}
	}
	CHECK_EQUAL(readers, 30);
#pragma omp depobj(write_value) destroy
#pragma omp depobj(read_value) destroy
}

static void updated_object(void)
{
	int value = 0;
	omp_depend_t object;

#pragma omp depobj(object) depend(in : value)
#pragma omp depobj(object) update(inout)
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 40; i++) {
#pragma omp task depend(depobj : object)
		{
			CHECK_EQUAL(value, i);
			value++;
		}
	}
	CHECK_EQUAL(value, 40);
#pragma omp depobj(object) update(mutexinoutset)
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 40; i++) {
#pragma omp task depend(depobj : object)
		value++;
	}
	CHECK_EQUAL(value, 80);
#pragma omp depobj(object) destroy
}

static void mixed_with_clauses(void)
{
	int first = 0;
	int second = 0;
	omp_depend_t object;

#pragma omp depobj(object) depend(inout : first)
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : first)
		first++;
#pragma omp task depend(inout : second)
		second++;
#pragma omp task depend(depobj : object) depend(in : second)
		{
			CHECK_EQUAL(first, 2 * i + 1);
			CHECK_EQUAL(second, i + 1);
			first++;
		}
	}
	CHECK_EQUAL(first, 40);
#pragma omp depobj(object) destroy
}

static void array_of_objects(void)
{
	int parts[3] = {0};
	int sum = 0;
	omp_depend_t objects[3];
	omp_depend_t *object = objects;

	for (int i = 0; i < 3; i++) {
#pragma omp depobj(objects[i]) depend(in : parts[i])
	}
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 3; i++) {
#pragma omp task depend(out : parts[i])
			{
				dawdle(100);
				parts[i] = 1;
			}
		}
#pragma omp task depend(depobj : *object, *(object + 1)) depend(depobj : *(object + 2))
		for (int i = 0; i < 3; i++)
			sum += parts[i];
	}
	CHECK_EQUAL(sum, 3);
	for (int i = 0; i < 3; i++) {
#pragma omp depobj(objects[i]) destroy
	}
}

int main(void)
{
	omp_set_dynamic(0);
	for (int i = 0; i < 20; i++) {
		writer_then_readers();
		updated_object();
		mixed_with_clauses();
		array_of_objects();
	}
	return check_result();
}
