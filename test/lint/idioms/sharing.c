/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared variables that are written as they may be: nothing is to be found. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int counter, copies;
#pragma omp threadprivate(copies)
static omp_lock_t guard;

void by_one_thread(void)
{
	int value = 0, number = 0;

#pragma omp parallel private(number)
	{
		number = omp_get_thread_num();
		if (number == 0)
			value = 1;
#pragma omp barrier
#pragma omp single
		value = 2;
#pragma omp master
		value = 3;
#pragma omp barrier
		if (omp_get_thread_num() != 0)
			number = 0;
		else
			value = 4;
	}
	printf("%d\n", value);
}

void by_protection(int n)
{
	double most = 0, sum = 0;
	int found = 0;

	omp_init_lock(&guard);
#pragma omp parallel
	{
		double own = 0;
#pragma omp for
		for (int i = 0; i < n; i++) {
			own += i;
			if (i > 10) {
#pragma omp atomic write
				found = 1;
			}
		}
#pragma omp critical
		if (own > most)
			most = own;
		omp_set_lock(&guard);
		sum += own;
		omp_unset_lock(&guard);
#pragma omp atomic
		counter += found;
	}
	omp_destroy_lock(&guard);
	printf("%g %g\n", most, sum);
}

void by_sections(void)
{
	int left = 0, right = 0;

#pragma omp parallel sections
	{
#pragma omp section
		left = 1;
#pragma omp section
		right = 2;
	}
	printf("%d\n", left + right);
}

void copies_of_threads(int n)
{
#pragma omp parallel
	{
		copies = omp_get_thread_num();
#pragma omp for
		for (int i = 0; i < n; i++)
			copies += i;
	}
}

static int fib(int n)
{
	int left, right;

	if (n < 2)
		return n;
#pragma omp task shared(left)
	left = fib(n - 1);
#pragma omp task shared(right)
	right = fib(n - 2);
#pragma omp taskwait
	return left + right;
}

int tasks(void)
{
	int result = 0;

#pragma omp parallel
#pragma omp single
	result = fib(20);
	return result;
}

/* The number of a slot that a thread takes. */
void slots(int *slot, int n)
{
	int used = 0;

#pragma omp parallel for
	for (int i = 0; i < n; i++) {
		int own;
#pragma omp atomic capture
		own = used++;
		slot[own] = i;
		if (own == 0)
			counter = i;
	}
}

void one_thread_only(int n)
{
	int sum = 0;

#pragma omp parallel for num_threads(1)
	for (int i = 0; i < n; i++)
		sum += i;
#pragma omp parallel for if (0)
	for (int i = 0; i < n; i++)
		sum += i;
	printf("%d\n", sum);
}

int main(void)
{
	return 0;
}
