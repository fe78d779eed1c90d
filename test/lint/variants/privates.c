/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of variables that have no value, or the wrong one. */
#include <omp.h>

static int values[1000];
static int scale, start = 3, own, called, limit;
#pragma omp threadprivate(scale, start, own, called, limit)
void set_all(void);

int last_copies(int n)
{
	int last = 2, kept = 1, both = 2, never = 3, some = 0, index;

#pragma omp parallel for lastprivate(last)
	for (int i = 0; i < n; i++) {
		values[i] += last; /* finds openmp-firstprivate */
		last = i;
	}
#pragma omp parallel for lastprivate(kept)
	for (int i = 0; i < n; i++)
		values[i]++;
	values[0] = kept; /* finds openmp-lastprivate */
#pragma omp parallel for firstprivate(both) lastprivate(both)
	for (int i = 0; i < n; i++)
		values[i] += both;
#pragma omp parallel for lastprivate(never)
	for (int i = 0; i < n; i++)
		values[i]++;
	never = 4;
#pragma omp parallel for lastprivate(some, index)
	for (index = 0; index < n; index++)
		if (values[index] > 3)
			some = index;
	return last + both + never + some + index;
}

void copies(int n, int factor)
{
	scale = factor;
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		values[i] *= scale; /* finds openmp-copyin */
#pragma omp parallel for copyin(scale)
	for (int i = 0; i < n; i++)
		values[i] *= scale;
}

/* Each copy has the value, or only one thread reads it. */
void set_copies(int n, int factor)
{
	start = 3;
	own = factor;
	called = factor;
	limit = factor;
#pragma omp parallel
	{
		own = factor;
		set_all();
#pragma omp for
		for (int i = 0; i < n; i++)
			values[i] += start + own + called;
#pragma omp master
		values[0] = limit;
		if (omp_get_thread_num() == 0)
			values[1] = limit;
	}
}

/* Arrays and records: read element by element, or written first. */
int blocks(int n)
{
	int block[4] = {1, 2, 3, 4}, work[4], sum = 0;

#pragma omp parallel for private(work) reduction(+ : sum)
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < 4; k++)
			work[k] = i * k;
		for (int k = 0; k < 4; k++)
			sum += work[k];
	}
#pragma omp parallel for firstprivate(block) reduction(+ : sum)
	for (int i = 0; i < n; i++)
		sum += block[i % 4];
	return sum;
}
