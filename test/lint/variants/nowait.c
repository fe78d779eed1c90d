/* SPDX-License-Identifier: BSD-3-Clause */
/* Constructs without a barrier at their ends, and what is used behind them. */
#include <omp.h>

enum { SIZE = 1000 };

static double left[SIZE], right[SIZE], plane[SIZE][SIZE];

void schedules(int n)
{
#pragma omp parallel
	{
#pragma omp for nowait schedule(nonmonotonic : dynamic)
		for (int i = 0; i < SIZE; i++)
			left[i] = i;
#pragma omp for
		for (int i = 0; i < SIZE; i++)
			right[i] = left[i]; /* finds openmp-nowait */
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			left[i] = i;
#pragma omp for schedule(monotonic : guided, 4)
		for (int i = 0; i < n; i++)
			right[i] = left[i]; /* finds openmp-nowait */
#pragma omp for nowait schedule(static, 4)
		for (int i = 0; i < SIZE; i++)
			left[i] = i;
#pragma omp for schedule(static, 8)
		for (int i = 0; i < SIZE; i++)
			right[i] = left[i]; /* finds openmp-nowait */
#pragma omp for nowait schedule(runtime)
		for (int i = 0; i < SIZE; i++)
			left[i] = i;
#pragma omp for schedule(runtime)
		for (int i = 0; i < SIZE; i++)
			right[i] = left[i]; /* finds openmp-nowait */
#pragma omp for collapse(2) nowait
		for (int i = 0; i < SIZE; i++)
			for (int j = 0; j < 3; j++)
				plane[i][j] = j;
#pragma omp for
		for (int i = 0; i < SIZE; i++)
			right[i] = plane[i][1]; /* finds openmp-nowait */
	}
}

void bounds(int n)
{
#pragma omp parallel
	{
#pragma omp for nowait
		for (int i = 0; i < SIZE; i++)
			left[i] = i;
#pragma omp for
		for (int i = 500; i < SIZE; i++)
			right[i] = left[i]; /* finds openmp-nowait */
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			left[i] = i;
#pragma omp for
		for (int i = 1; i < n; i++)
			right[i] = left[i]; /* finds openmp-nowait */
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			left[i] = i;
#pragma omp for
		for (int i = 0; i < n - 1; i++)
			right[i] = left[i]; /* finds openmp-nowait */
#pragma omp for nowait
		for (int i = 0; i <= n; i++)
			left[i] = i;
#pragma omp for
		for (int i = 0; i < n; i++)
			right[i] = left[i]; /* finds openmp-nowait */
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			left[i] = i;
#pragma omp for
		for (int i = 0; i < n; i += 2)
			right[i] = left[i]; /* finds openmp-nowait */
	}
}

void directions(int n)
{
#pragma omp parallel
	{
#pragma omp for nowait
		for (int i = SIZE - 1; i >= 0; i--)
			left[i] = i;
#pragma omp for
		for (int i = 0; i < SIZE; i++)
			right[i] = left[i]; /* finds openmp-nowait */
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			left[n - 1 - i] = i;
#pragma omp for
		for (int i = 0; i < n; i++)
			right[i] = left[i]; /* finds openmp-nowait */
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			left[i] = i;
#pragma omp for
		for (int i = n - 1; i >= 0; i--)
			right[i] = left[i]; /* finds openmp-nowait */
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			left[i] = i;
#pragma omp for
		for (int i = 0; i < n; i++)
			right[i] = left[2 * i]; /* finds openmp-nowait */
	}
}

/* The first loop reads, or writes what the second one writes. */
void order(int n)
{
#pragma omp parallel
	{
#pragma omp for nowait
		for (int i = 1; i < n; i++)
			right[i] = left[i - 1];
#pragma omp for
		for (int i = 1; i < n; i++)
			left[i] = 0; /* finds openmp-nowait */
#pragma omp for nowait schedule(dynamic)
		for (int i = 0; i < n; i++)
			left[i] = 1;
#pragma omp for
		for (int i = 0; i < n; i++)
			left[i] += 2; /* finds openmp-nowait */
	}
}

void planes(double *flat, int n, int width)
{
#pragma omp parallel
	{
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			for (int j = 0; j < width; j++)
				plane[i][j] = i;
#pragma omp for
		for (int i = 1; i < n; i++)
			for (int j = 0; j < width; j++)
				right[i] += plane[i - 1][j]; /* finds openmp-nowait */
#pragma omp barrier
#pragma omp for nowait
		for (int i = 1; i < n; i++)
			for (int j = 0; j < width; j++)
				plane[i][j] = i;
#pragma omp for
		for (int i = 1; i < n; i++)
			for (int j = 0; j < width; j++)
				right[i] += plane[i - 1][j]; /* finds openmp-nowait */
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				plane[i][j] = i;
#pragma omp for
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				right[i] += plane[j][i]; /* finds openmp-nowait */
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			for (int j = 0; j < width; j++)
				flat[i * width + j] = i;
#pragma omp for
		for (int i = 0; i < n; i++)
			for (int j = 0; j < width; j++)
				right[i] += flat[(i + 1) * width + j]; /* finds openmp-nowait */
	}
}

/* One thread, or all of them, behind a loop or in front of it. */
void one_thread(int n)
{
	double scale = 2, first = 0, sum = 0;
	int limit = 0;

#pragma omp parallel reduction(+ : sum)
	{
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			left[i] = i;
#pragma omp single
		first = left[0]; /* finds openmp-nowait */
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			left[i] = i;
		for (int j = 0; j < n; j++)
			sum += left[j]; /* finds openmp-nowait */
#pragma omp barrier
#pragma omp single nowait
		for (int j = 0; j < n; j++)
			left[j] = first;
#pragma omp for
		for (int i = 0; i < n; i++)
			right[i] = left[i]; /* finds openmp-nowait */
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			right[i] = scale * i;
#pragma omp single
		scale = 3; /* finds openmp-nowait */
#pragma omp master
		limit = n;
#pragma omp for
		for (int i = 0; i < n; i++)
			if (i < limit) /* finds openmp-nowait */
				right[i] = i;
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			left[i] = i;
		sum += left[n - 1]; /* finds openmp-nowait */
	}
	right[0] = sum + scale;
}

/* Thread 0 accesses elements of the loop's last iterations, which others execute. */
void first_thread(int n)
{
	double sum = 0, seen = 0;
	int limit = 0;

#pragma omp parallel reduction(+ : seen)
	{
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			left[i] = i;
#pragma omp master
		for (int i = 0; i < n; i++)
			sum += left[i]; /* finds openmp-nowait */
#pragma omp barrier
#pragma omp masked
		for (int i = 0; i < SIZE; i++)
			left[i] = i;
#pragma omp for
		for (int i = 0; i < SIZE; i++)
			right[i] = left[i]; /* finds openmp-nowait */
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			right[i] = i;
#pragma omp master
		sum += right[n - 1]; /* finds openmp-nowait */
#pragma omp barrier
#pragma omp master
		limit = n;
#pragma omp master
		sum += limit;
		seen += limit; /* finds openmp-nowait */
#pragma omp barrier
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			left[i] = i;
#pragma omp master
		sum += left[0];
	}
	right[0] = sum + seen;
}

/* Nothing is wrong from here on: each thread has the same iterations, by their numbers. */
void same_iterations(int n, int chunk)
{
#pragma omp parallel
	{
#pragma omp for nowait
		for (int i = 1; i < n; i++)
			left[i] = i;
#pragma omp for
		for (int i = 0; i < n - 1; i++)
			right[i] = left[i + 1];
#pragma omp for nowait schedule(monotonic : static, 4)
		for (int i = 0; i < SIZE; i++)
			left[i] = i;
#pragma omp for schedule(static, 4) nowait
		for (int i = SIZE - 1; i >= 0; i--)
			right[i] = left[SIZE - 1 - i];
#pragma omp barrier
#pragma omp for nowait schedule(static, n > 9 ? 4 : 8)
		for (int i = 0; i < SIZE; i++)
			left[i] = i;
#pragma omp for schedule(static, n > 9 ? 4 : 8)
		for (int i = 0; i < SIZE; i++)
			right[i] = left[i];
#pragma omp barrier
#pragma omp for nowait schedule(static, chunk)
		for (int i = 0; i < n; i++)
			left[i] = i;
#pragma omp for schedule(static, n / 2)
		for (int i = 0; i < n; i++)
			right[i] = left[i];
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				plane[i][j] = i;
#pragma omp for
		for (int i = 0; i < n; i++)
			for (int j = n - 1; j > 0; j--)
				right[i] += plane[i][j - 1] + plane[i][j];
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			left[2 * i] = i;
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			right[i] = left[2 * i + 1];
	}
}

/* Each element is used by one of the two loops alone, or nobody knows. */
void apart(int n, int first, const int *index, int mode)
{
	double sum = 0;

#pragma omp parallel reduction(+ : sum)
	{
		const int self = omp_get_thread_num();

#pragma omp for nowait
		for (int i = 0; i < 500; i++)
			left[i] = i;
#pragma omp for nowait
		for (int i = 500; i < SIZE; i++)
			right[i] = left[i];
#pragma omp barrier
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			left[i] = i;
#pragma omp for nowait
		for (int i = first; i < n; i++)
			right[i] = left[index[i]];
#pragma omp barrier
#pragma omp for nowait schedule(dynamic)
		for (int i = 0; i < n; i++)
			if (mode)
				left[i] = i;
#pragma omp for schedule(dynamic)
		for (int i = 0; i < n; i++)
			if (!mode)
				right[i] = left[i];
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			plane[self][i] = i;
#pragma omp for
		for (int i = 1; i < n; i++)
			sum += plane[self][i - 1];
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			left[i] = i;
		if (self == 0)
			sum += right[0];
#pragma omp master
		right[0] = 1;
#pragma omp master
		sum += right[0];
	}
	left[0] = sum;
}

/* A flag says that the data are there; a counter makes a barrier. */
void by_flag(int n)
{
	int ready = 0, arrived = 0;
	const int threads = omp_get_max_threads();

#pragma omp parallel
	{
#pragma omp single nowait
		{
			for (int j = 0; j < n; j++)
				left[j] = j;
#pragma omp atomic write release
			ready = 1;
		}
		for (int seen = 0; !seen;) {
#pragma omp atomic read acquire
			seen = ready;
		}
#pragma omp for
		for (int i = 0; i < n; i++)
			right[i] = left[i];
#pragma omp for nowait
		for (int i = 1; i < n; i++)
			left[i] = i;
#pragma omp atomic
		arrived++;
		for (int seen = 0; seen < threads;) {
#pragma omp atomic read
			seen = arrived;
		}
#pragma omp for
		for (int i = 1; i < n; i++)
			right[i] = left[i - 1];
	}
}
