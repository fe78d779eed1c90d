/* SPDX-License-Identifier: BSD-3-Clause */
/* clang 19 computes something else from this clause, with ompinst or without. */
#include <stdio.h>

int main(void)
{
	int a[16] = {0, 1, 1, 0, 1}, last = -1, section = -1, inner = -1;

#pragma omp parallel for lastprivate(conditional : last)
	for (int i = 0; i < 16; i++)
		if (a[i])
			last = i;
#pragma omp parallel sections lastprivate(conditional : section)
	{
		section = 1;
#pragma omp section
		if (last == 4)
			section = 2;
	}
#pragma omp parallel
#pragma omp for schedule(dynamic) lastprivate(conditional : inner)
	for (int i = 0; i < 16; i++)
		if (a[i])
			inner = i;
	printf("%d %d %d\n", last, section, inner);
	return 0;
}
