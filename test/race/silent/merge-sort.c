/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: merge sort, where a task sorts each half and both halves are merged behind a taskgroup.
 * Tasks of different halves work on different parts of both arrays.
 */
#include <string.h>

enum { N = 4000, SMALL = 64 };

static int values[N], buffer[N];

static void sort_small(int *part, int n)
{
	for (int i = 1; i < n; i++) {
		int value = part[i], at = i;

		for (; at > 0 && part[at - 1] > value; at--)
			part[at] = part[at - 1];
		part[at] = value;
	}
}

static void merge(int *part, int *scratch, int middle, int n)
{
	int left = 0, right = middle;

	memcpy(scratch, part, (size_t)n * sizeof *part);
	for (int i = 0; i < n; i++) {
		int from_left = right == n || (left < middle && scratch[left] <= scratch[right]);
		part[i] = from_left ? scratch[left++] : scratch[right++];
	}
}

static void sort(int *part, int *scratch, int n)
{
	int middle = n / 2;

	if (n <= SMALL) {
		sort_small(part, n);
		return;
	}
#pragma omp taskgroup
	{
#pragma omp task
		sort(part, scratch, middle);
#pragma omp task
		sort(part + middle, scratch + middle, n - middle);
	}
	merge(part, scratch, middle, n);
}

int main(void)
{
	int wrong = 0;

	for (int i = 0; i < N; i++)
		values[i] = (int)(i * 7919L % N);
#pragma omp parallel
#pragma omp single nowait
	sort(values, buffer, N);
	for (int i = 0; i < N; i++)
		wrong += values[i] != i;
	return wrong != 0;
}
