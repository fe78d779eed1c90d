/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

int main(void)
{
	int x = 0, y = 0, a[4] = {0};

#pragma omp parallel
	{
#pragma omp for reduction(task, +:x)
		for (int i = 0; i < 8; i++) {
#pragma omp task in_reduction(+:x)
			x += i;
		}
	}
#pragma omp parallel for reduction(task, +:y)
	for (int i = 0; i < 8; i++) {
#pragma omp task in_reduction(+:y)
		y += i;
	}
#pragma omp parallel reduction(task, +:y)
	{
#pragma omp single
		for (int i = 0; i < 4; i++)
#pragma omp task in_reduction(+:y)
			y++;
	}
#pragma omp parallel for reduction(+:a[:4])
	for (int i = 0; i < 8; i++)
		a[i % 4] += i;
#pragma omp parallel
#pragma omp master
#pragma omp taskgroup task_reduction(+:x)
	for (int i = 0; i < 3; i++)
#pragma omp task in_reduction(+:x)
		x++;
	printf("%d %d %d %d\n", x, y, a[0], a[3]);
	return 0;
}
