/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs for about a second: recursive tasks with a cut-off, below which a function sorts by itself.
 */
#include <stdlib.h>

enum { N = 1 << 20, CUT_OFF = 512 };

static int values[N], other[N];

static void merge(int begin, int middle, int end)
{
	int left = begin, right = middle;

	for (int i = begin; i < end; i++)
		other[i] = right == end || (left < middle && values[left] <= values[right])
			       ? values[left++]
			       : values[right++];
	for (int i = begin; i < end; i++)
		values[i] = other[i];
}

static void sort(int begin, int end)
{
	const int middle = begin + (end - begin) / 2;

	if (end - begin < 2)
		return;
	if (end - begin <= CUT_OFF) {
		sort(begin, middle);
		sort(middle, end);
	} else {
#pragma omp task
		sort(begin, middle);
#pragma omp task
		sort(middle, end);
#pragma omp taskwait
	}
	merge(begin, middle, end);
}

int main(void)
{
	unsigned number = 1;

	for (int i = 0; i < N; i++) {
		number = number * 1103515245 + 12345;
		values[i] = (int)(number >> 8);
	}
#pragma omp parallel
#pragma omp single
	sort(0, N);
	for (int i = 1; i < N; i++)
		if (values[i - 1] > values[i])
			return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
