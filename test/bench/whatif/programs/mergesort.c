/* SPDX-License-Identifier: BSD-3-Clause */
/* Merge sort with a task for each left half above a cutoff. */
#include "program.h"

#include <string.h>

#ifndef CUTOFF
#define CUTOFF 250
#endif
enum { COUNT = 4000000 };

static void merge(int *from, int *to, int middle, int count)
{
	int left = 0, right = middle;

	for (int i = 0; i < count; i++)
		to[i] = right >= count || (left < middle && from[left] <= from[right])
			    ? from[left++]
			    : from[right++];
}

static void sort(int *from, int *space, int count)
{
	int middle = count / 2;

	if (count < 2)
		return;
	if (count > CUTOFF) {
#pragma omp task // @left
		sort(from, space, middle);
		sort(from + middle, space + middle, count - middle);
#pragma omp taskwait
	} else {
		sort(from, space, middle);
		sort(from + middle, space + middle, count - middle);
	}
	merge(from, space, middle, count);
	memcpy(from, space, (size_t)count * sizeof(*from));
}

int main(void)
{
	int *numbers = malloc(COUNT * sizeof(*numbers)), *space = malloc(COUNT * sizeof(*space));

	for (unsigned i = 0; i < COUNT; i++)
		numbers[i] = (int)mixed(i, 1u << 30);
#pragma omp parallel // @parallel
#pragma omp single
	sort(numbers, space, COUNT);
	printf("%d\n", numbers[COUNT / 2]);
	return 0;
}
