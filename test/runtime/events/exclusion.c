/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of critical, atomic and ordered: acquire, acquired and released in turn on each thread,
 * one thread at a time, with a wait id that is the same for all threads that exclude each other and
 * for no others. ordered regions come in the order of the iterations, by wait id of their loop.
 */
#include <omp.h>

#include "check.h"
#include "recorder.h"

enum { TURNS = 40 };

static long first_sum, second_sum;

static __attribute__((noinline)) void unnamed(void)
{
	int turns = 0;

#pragma omp parallel
	for (int i = 0; i < TURNS; i++) {
#pragma omp critical
		turns++;
		RETURNS_HERE;
	}
	CHECK_EQUAL(turns, TURNS * omp_get_max_threads());
}

static __attribute__((noinline)) void named(void)
{
#pragma omp parallel
	{
#pragma omp critical(first)
		first_sum++;
#pragma omp critical(second)
		second_sum--;
#pragma omp critical(first)
		first_sum++;
		RETURNS_HERE;
	}
	CHECK_EQUAL(first_sum + 2 * second_sum, 0);
	RETURNS_HERE;
}

/* A type for which the processor has no atomic addition. */
static __attribute__((noinline)) void fallback(void)
{
	long double sum = 0;

#pragma omp parallel
	for (int i = 0; i < TURNS; i++) {
#pragma omp atomic
		sum += 1;
		RETURNS_HERE;
	}
	CHECK_EQUAL((long)sum, TURNS * omp_get_max_threads());
}

static __attribute__((noinline)) void in_order(void)
{
	int next = 0;

#pragma omp parallel
	{
#pragma omp for schedule(dynamic) ordered
		for (int i = 0; i < TURNS; i++) {
#pragma omp ordered
			CHECK_EQUAL(next++, i);
		}
		RETURNS_HERE;
	}
}

/* Pairs the events of each kind of mutex; returns how many there were. */
static unsigned check_kind(ompt_mutex_t kind)
{
	unsigned number = record_number(ompt_callback_mutex_acquire, kind, 0);

	CHECK_EQUAL(record_number(ompt_callback_mutex_acquired, kind, 0), number);
	CHECK_EQUAL(record_number(ompt_callback_mutex_released, kind, 0), number);
	CHECK_EQUAL(record_number(ompt_callback_mutex_acquire, -1, 0), number);
	CHECK_EQUAL(record_number(ompt_callback_mutex_released, -1, 0), number);
	return number;
}

static unsigned different_waits(void)
{
	uint64_t seen[16];
	unsigned number = 0;

	for (unsigned i = 0; i < record_count(); i++) {
		unsigned k = 0;
		if (record_at(i)->wait == 0)
			continue;
		while (k < number && seen[k] != record_at(i)->wait)
			k++;
		if (k == number && CHECK(number < 16))
			seen[number++] = record_at(i)->wait;
	}
	return number;
}

static void check_impl(ompt_mutex_t kind)
{
	ompt_enumerate_mutex_impls_t enumerate =
	    (ompt_enumerate_mutex_impls_t)record_lookup("ompt_enumerate_mutex_impls");
	const struct record *record = record_find(0, ompt_callback_mutex_acquire, kind, 0);
	int impl = ompt_mutex_impl_none;
	const char *name;

	if (!CHECK(enumerate != NULL))
		return;
	while (record != NULL && enumerate(impl, &impl, &name))
		if ((unsigned)impl == record->impl)
			return;
	CHECK(record != NULL && !"the enumeration has the record's impl");
}

int main(void)
{
	unsigned members = (unsigned)omp_get_max_threads();

	if (!record_is_on())
		return check_result();
	record_clear();
	unnamed();
	CHECK_EQUAL(check_kind(ompt_mutex_critical), TURNS * members);
	CHECK_EQUAL(different_waits(), 1);
	check_impl(ompt_mutex_critical);
	record_check("unnamed");
	record_clear();
	named();
	CHECK_EQUAL(check_kind(ompt_mutex_critical), 3 * members);
	CHECK_EQUAL(different_waits(), 2);
	record_check("named");
	record_clear();
	fallback();
	CHECK_EQUAL(check_kind(ompt_mutex_atomic), TURNS * members);
	CHECK_EQUAL(different_waits(), 1);
	check_impl(ompt_mutex_atomic);
	record_check("fallback");
	record_clear();
	in_order();
	CHECK_EQUAL(check_kind(ompt_mutex_ordered), TURNS);
	CHECK_EQUAL(different_waits(), 1);
	check_impl(ompt_mutex_ordered);
	record_check("in_order");
	return check_result();
}
