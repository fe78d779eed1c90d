/* SPDX-License-Identifier: BSD-3-Clause */
/* The program ends inside of constructs: in a task of a single in a parallel. */
#include <stdio.h>
#include <stdlib.h>

static void last_words(void)
{
	printf("ends\n");
}

int main(void)
{
	int x = 0;

	atexit(last_words);
#pragma omp parallel reduction(+ : x)
	{
#pragma omp critical(name)
		x++;
#pragma omp for
		for (int i = 0; i < 8; i++)
			x += i;
	}
	printf("%d\n", x > 28);
	fflush(stdout);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
	{
#pragma omp task if (0)
		{
#pragma omp critical(name)
			exit(7);
		}
	}
	printf("never\n");
	return 0;
}
