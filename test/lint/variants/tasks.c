/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks and what the code around them does before they are executed. */
#include <stdlib.h>

static double a[1000], b[1000];
void finish_and_wait(void);

void taskloops(int n)
{
	int j, k;
	double value;

#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop
		for (int i = 0; i < n; i++)
			for (j = 0; j < n; j++) /* finds openmp-inner-loop */
				a[i] += j;
#pragma omp taskloop grainsize(4)
		for (int i = 0; i < n; i++) {
			value = a[i] * a[i]; /* finds openmp-private */
			b[i] = value;
		}
#pragma omp taskloop private(j, value)
		for (int i = 0; i < n; i++) {
			value = 0;
			for (j = 0; j < n; j++)
				value += b[j];
			a[i] = value;
		}
#pragma omp taskloop if (0)
		for (int i = 0; i < n; i++)
			for (k = 0; k < n; k++)
				a[i] += k;
	}
}

/* Declared in the code that generates the tasks: each task has a copy. */
void own_variables(int n)
{
#pragma omp parallel
#pragma omp single
	{
		int j;
#pragma omp taskloop
		for (int i = 0; i < n; i++)
			for (j = 0; j < n; j++)
				a[i] += j;
	}
}

double early_elements(int n)
{
	double sum = 0, one[4], count = 0;

#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < n; i++) {
#pragma omp task
			a[i] = i;
		}
		for (int i = 0; i < n; i++)
			sum += a[i]; /* finds openmp-task-wait */
#pragma omp taskwait
#pragma omp task
		one[0] = 3;
		sum += one[0]; /* finds openmp-task-wait */
#pragma omp taskwait
		for (int i = 1; i < n; i++) {
#pragma omp task
			b[i] = i;
			sum += b[i - 1]; /* finds openmp-task-wait */
		}
#pragma omp taskwait
		for (int i = 0; i < n; i++) {
#pragma omp task
			{
				count = i; /* finds openmp-task-write */
			}
		}
		sum += count; /* finds openmp-task-wait */
	}
	return sum;
}

double waited_elements(int n, int *order, int mode)
{
	double sum = 0, one[4] = {0};

#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < n; i++) {
#pragma omp task
			a[i] = i;
		}
#pragma omp taskwait
		for (int i = 0; i < n; i++)
			sum += a[i];
#pragma omp task
		one[0] = 3;
		sum += one[1];
		if (mode) {
#pragma omp taskwait
		}
		sum += one[0];
		for (int i = 0; i < n; i++) {
#pragma omp task
			a[order[i]] = i;
		}
		for (int i = 0; i < n; i++)
			sum += b[order[i]];
#pragma omp taskgroup
		for (int i = 0; i < n; i++) {
#pragma omp task
			a[i] = i;
		}
		for (int i = 0; i < n; i++)
			sum += a[i];
		for (int i = 1; i < n; i++) {
#pragma omp taskwait
#pragma omp task
			b[i] = i;
			sum += b[i - 1];
		}
#pragma omp taskwait
		for (int i = 0; i < n; i++) {
#pragma omp task depend(out : a[i])
			a[i] = i;
		}
		for (int i = 0; i < n; i++)
			sum += a[i];
#pragma omp taskwait
		for (int i = 0; i < n; i++) {
#pragma omp task
			a[i] = i;
		}
		finish_and_wait();
		for (int i = 0; i < n; i++)
			sum += a[i];
	}
	return sum;
}

void memory(int n)
{
	double *data = (double *)malloc(8), *more = (double *)malloc(8),
	       *kept = (double *)malloc(8);

#pragma omp parallel
#pragma omp single
	{
#pragma omp task
		data[0] = 3;
		free(data); /* finds openmp-task-lifetime */
		for (int i = 0; i < n; i++) {
			double *own = (double *)malloc(8);
#pragma omp task
			*own = i;
			free(own); /* finds openmp-task-lifetime */
		}
#pragma omp task
		*more = 3;
#pragma omp taskwait
		free(more);
#pragma omp task
		{
			*kept = 3;
			free(kept);
		}
	}
}

void pointers(void)
{
	double local = 3, block[4], far = 2;
	double *first = &local, *second = block, *third = &far, *fourth = a;

#pragma omp task
	*first = 3; /* finds openmp-task-lifetime */
#pragma omp task firstprivate(second)
	second[1] = 3; /* finds openmp-task-lifetime */
#pragma omp task
	*fourth = 3;
#pragma omp taskgroup
	{
#pragma omp task
		*third = 2;
	}
}

void waited_pointers(void)
{
	double local = 3;
	double *first = &local;

#pragma omp task
	*first = 3;
#pragma omp taskwait
}
