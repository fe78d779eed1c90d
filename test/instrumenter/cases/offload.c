/* SPDX-License-Identifier: BSD-3-Clause */
/* What is measured from outside: the encountering thread enters and leaves, nothing inside tells.
 */
#include <stdio.h>

static void orphaned(int *a)
{
#pragma omp loop bind(thread)
	for (int i = 0; i < 8; i++)
		a[i]++;
}

int main(void)
{
	int x = 1, y = 0, a[8] = {0}, b[8] = {0};

#pragma omp target enter data map(to : a)
#pragma omp target data map(tofrom : x) if (x)
	{
#pragma omp target map(tofrom : x)
		x++;
#pragma omp target update from(x) to(y) nowait
#pragma omp taskwait
	}
#pragma omp target teams distribute parallel for map(tofrom                                        \
						     : b) default(none) shared(b) schedule(static)
	for (int i = 0; i < 8; i++)
		b[i] = i;
#pragma omp taskwait
#pragma omp target parallel for num_threads(2) if (target : x) if (parallel : x) depend(inout : b)
	for (int i = 0; i < 8; i++)
		b[i]++;
#pragma omp target simd
	for (int i = 0; i < 8; i++)
		b[i]++;
#pragma omp taskwait
#pragma omp target exit data map(from : a)
#pragma omp teams num_teams(1) default(none) shared(y)
	{
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < 8; i++)
#pragma omp atomic
			y++;
	}
#pragma omp teams distribute parallel for reduction(+ : y) num_teams(1)
	for (int i = 0; i < 8; i++)
		y++;
#pragma omp parallel num_threads(2)
	{
#pragma omp loop
		for (int i = 0; i < 8; i++)
			a[i]++;
#pragma omp single
		if (x)
#pragma omp target
			x++;
	}
#pragma omp parallel loop num_threads(2) collapse(1)
	for (int i = 0; i < 8; i++)
		a[i] += 2;
	orphaned(b);
	printf("%d %d %d %d\n", x, y, a[7], b[7]);
	return 0;
}
