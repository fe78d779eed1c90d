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

/* Pointers and subscripts of a thread's own. */
void own_places(long *cells)
{
	long *cell = cells;
	int self = 0;

#pragma omp parallel firstprivate(cell) private(self) num_threads(4)
	{
		self = omp_get_thread_num();
		cell += self;
#pragma omp for
		for (int i = 0; i < 1000; i++)
			*cell += i;
#pragma omp barrier
#pragma omp for
		for (int i = 0; i < 1000; i++)
			cells[self] += i;
	}
}

/* A range for each thread; the first keeps the total. */
void ranges(int *counts, int n, int threads)
{
	int total = 0, number, begin, end;

#pragma omp parallel private(number, begin, end)
	{
		number = omp_get_thread_num();
		begin = n / threads * number;
		end = number == threads - 1 ? n : begin + n / threads;
		for (int i = begin; i < end; i++)
			counts[i] = i;
#pragma omp barrier
		if (number > 0) {
			for (int i = begin; i < end; i++)
				counts[i] += counts[begin - 1];
		} else {
			total += n;
		}
	}
	counter = total;
}

/* A flag is handed from task to task by atomics. */
int handed_over(void)
{
	int done = 0, data = 0, copy = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task shared(done, data)
		{
			data = 6;
#pragma omp atomic write release
			done = 1;
		}
		for (int tries = 0; tries < 1000 && copy == 0; tries++) {
			int seen;
#pragma omp atomic read acquire
			seen = done;
			if (seen)
				copy = data;
#pragma omp taskyield
		}
	}
	return copy;
}

/* The group, or the region, outlives the tasks' variables. */
int groups(int n)
{
	int found = 0;

#pragma omp parallel
#pragma omp single nowait
	{
#pragma omp taskgroup
		for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
			{
#pragma omp task firstprivate(i)
				if (i == 7) {
#pragma omp atomic
					found++;
				}
			}
		}
	}
	return found;
}

void nestable(int n)
{
	omp_nest_lock_t lock;
	long plain = 0;

	omp_init_nest_lock(&lock);
#pragma omp parallel
	for (int i = 0; i < n; i++) {
		omp_set_nest_lock(&lock);
		omp_set_nest_lock(&lock);
		plain++;
		omp_unset_nest_lock(&lock);
		plain++;
		omp_unset_nest_lock(&lock);
	}
	omp_destroy_nest_lock(&lock);
	printf("%ld\n", plain);
}

void linear_list(int n)
{
	int position = 7;

#pragma omp parallel for linear(position : 4)
	for (int i = 0; i < n; i++)
		position += 4;
	printf("%d\n", position);
}

void early_return(int value)
{
	omp_set_lock(&guard);
	if (value < 0) {
		omp_unset_lock(&guard);
		return;
	}
	counter = value;
	omp_unset_lock(&guard);
}

void phases(double *left, double *right, int n)
{
	int limit = 0;

#pragma omp parallel
	{
#pragma omp master
		limit = n;
#pragma omp barrier
#pragma omp for schedule(static) nowait
		for (int i = 0; i < limit; i++)
			left[i] = i;
#pragma omp for schedule(static)
		for (int i = 0; i < limit; i++)
			right[i] = left[i];
#pragma omp single nowait
		counter = limit;
	}
}

double lanes(const double *values, double *results, int n)
{
	double inside, last = 0, first;

#pragma omp simd private(inside) lastprivate(last)
	for (int i = 0; i < n; i++) {
		double own = values[i];

		inside = own * own;
		last = inside + 1;
		results[i] = inside + last;
	}
	for (int i = 0; i < n; i++) {
		first = values[i];
		results[i] += first;
	}
	return last;
}

void generated(int *values, int n)
{
	int i, first;

	for (i = 0; i < n; i++) {
#pragma omp task
		values[i]++;
	}
	for (i = 0; i < n; i++) {
#pragma omp task shared(i)
		values[i]++;
#pragma omp taskwait
	}
	for (i = 0; i < n; i++) {
#pragma omp taskgroup
		{
#pragma omp task shared(i)
			values[i]++;
		}
	}
	for (i = 0; i < n; i++) {
		if (values[i] == 0) {
#pragma omp task shared(i)
			values[i]++;
			break;
		}
	}
#pragma omp taskwait
	for (first = 0; first < n; first++) {
#pragma omp task shared(first) if (0)
		values[first]++;
	}
	for (int k = 0; k < n; k++) {
		int own = values[k];
#pragma omp taskgroup
#pragma omp task shared(own)
		values[k] = own + 1;
	}
}

static int limit, ready;

#pragma omp declare simd uniform(least) notinbranch
static int at_least(int value, int least)
{
	static const int slope = 3;
	int difference = slope * value - least;

	if (difference < 0)
		difference = limit;
	ready = 1;
	return difference;
}

void set_limit(int value)
{
	limit = value;
	at_least(value, limit);
}

static int included(int depth)
{
	int result = 0;

	if (depth == 0)
		return 1;
#pragma omp task shared(result)
	result = included(depth - 1);
	return result + 1;
}

void final_task(void)
{
#pragma omp task final(1)
	{
		if (included(4) != 5)
			printf("not included\n");
	}
#pragma omp taskwait
}

int main(void)
{
	return 0;
}
