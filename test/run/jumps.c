/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * longjmp past the ends of functions, user regions and a critical's caller: nothing there runs a
 * cleanup.
 */
/* ompinst: --functions */
#include <setjmp.h>
#include <stdio.h>

static int counts[4];

static void leave(jmp_buf target, int depth)
{
	if (depth > 0)
		leave(target, depth - 1);
	longjmp(target, depth + 1);
}

static int past_functions(int n)
{
	jmp_buf here;

	if (setjmp(here) == 0)
		leave(here, n);
	return n;
}

static int past_regions(int n)
{
	jmp_buf here;

	if (setjmp(here) != 0)
		return n + 1;
	{
#pragma pomp inst begin(outer)
#pragma pomp inst begin(inner)
		leave(here, n);
#pragma pomp inst end(inner)
#pragma pomp inst end(outer)
	}
	return 0;
}

/* Out of a function called in a critical, but not out of the critical itself. */
static void inside_critical(int n)
{
#pragma omp critical
	{
		jmp_buf here;

		if (setjmp(here) == 0)
			leave(here, n);
		counts[0]++;
	}
}

int main(void)
{
	int total = 0;

	for (int i = 0; i < 3; i++)
		total += past_functions(i) + past_regions(i);
#pragma omp parallel for reduction(+ : total)
	for (int i = 0; i < 24; i++) {
		total += past_functions(i % 5);
		total += past_regions(i % 3);
		inside_critical(i % 4);
	}
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 8; i++)
#pragma omp task firstprivate(i)
	{
		int here = past_regions(i);

#pragma omp atomic
		counts[1] += here;
		inside_critical(i);
	}
	printf("%d %d %d\n", total, counts[0], counts[1]);
	return 0;
}
