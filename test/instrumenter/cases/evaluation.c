/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

static int calls;

static int count(int value)
{
	calls++;
	return value;
}

int main(void)
{
	int x = 0;
	char text[] = "abc";

#pragma omp parallel num_threads(count(2)) if(parallel: count(1))
#pragma omp atomic
	x++;
#pragma omp parallel for num_threads(count(2)) if(count(1))
	for (int i = 0; i < 4; i++)
#pragma omp atomic
		x++;
#pragma omp parallel for simd if(calls > 0) num_threads(count(2))
	for (int i = 0; i < 4; i++)
		text[i % 3] = 'a';
#pragma omp parallel num_threads(text[0] == ')' ? count(1) : sizeof(")(") == 3 ? count(1) : count(9))
#pragma omp atomic
	x++;
	printf("%d %d\n", calls, x);
	return 0;
}
