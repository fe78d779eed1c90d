/* SPDX-License-Identifier: BSD-3-Clause */
/* clang 19 loses the firstprivate of the first loop, with or without instrumentation. */
#include <stdio.h>

enum { N = 40 };

int main(void)
{
	int a[N] = {0}, first = 2, last = 7;

#pragma omp parallel master taskloop firstprivate(first) lastprivate(last) grainsize(5)
	for (int i = 0; i < N; i++) {
		a[i] = i * first;
		last = i;
	}
	printf("%d %d\n", a[N - 1], last);
#pragma omp parallel masked taskloop firstprivate(last) lastprivate(last) firstprivate(first) \
    default(none) shared(a)
	for (int i = 0; i < N; i++) {
		last += first;
		a[i] = last;
	}
	printf("%d %d\n", a[0], last == a[N - 1]);
	return 0;
}
