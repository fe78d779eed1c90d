/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include "macros.h"

#define THREADS 2
#define magick_number_threads(limit) num_threads((limit) < 2 ? 1 : 2)
#define PARALLEL_FOR _Pragma("omp parallel for schedule(dynamic, 2)")
#define REPEAT(n, body) PARALLEL_FOR for (int i = 0; i < (n); i++) { body; }
#define THROUGH(list) nowait
#define NOTHING
#define LOOP for schedule(static)
#define TEAM parallel default(none)
#define int32 int
#define void_ void

int main(void)
{
	int x = 0, n = 3, b = 2;

#pragma omp parallel magick_number_threads(THREADS) /* a comment that runs
over the pragma's end */ \
    reduction(+:x)
	x += 1;
	x = x > 0;
	REPEAT(10, TALLY(x))
#if 0
#pragma omp parallel
	{ not C at all (
#endif
%:pragma omp parallel for \
	schedule(dynamic,(n)*(b)) \
	reduction(+:x)
	for (int i = 0; i < 10; i++)
		x += i;
#pragma omp TEAM shared(x) num_threads(THREADS) NOTHING
	{
#pragma omp for NOTHING THROUGH((x, x))
		for (int i = 0; i < 10; i++)
#pragma omp atomic
			x += i;
#pragma omp LOOP NOTHING
		for (int i = 0; i < 10; i++)
#pragma omp atomic
			x += i;
	}
#pragma omp TEAM magick_number_threads(THREADS) reduction(+:x)
	x += 0;
	from_header(&x);
	printf("%d\n", x);
	return 0;
}
