/* SPDX-License-Identifier: BSD-3-Clause */
/* Sections: first one implicit, nested, single statements, combined, lastprivate. */
#include <stdio.h>

static int done[8];

static void mark(int i)
{
#pragma omp atomic
	done[i]++;
}

int main(void)
{
	int last = 0;

#pragma omp parallel sections
	{
		{
			mark(0);
			mark(1);
		}
#pragma omp section
		mark(2);
#pragma omp section
		{
			mark(3);
#pragma omp parallel
#pragma omp sections
			{
#pragma omp section
				mark(4);
#pragma omp section
				if (done[7])
					mark(0);
				else
					mark(5);
			}
		}
	}
#pragma omp parallel
	{
		int mine = 0;

#pragma omp sections lastprivate(last) nowait
		{
#pragma omp section
			last = 1;
			/* The brace follows the last section on its line. */
			/* clang-format off */
#pragma omp section
			last = 2; }
		/* clang-format on */
#pragma omp barrier
#pragma omp single copyprivate(mine)
		mine = last + 10;
		if (mine != 12)
			mark(7);
	}
	for (int i = 0; i < 8; i++)
		printf("%d ", done[i]);
	printf("\n");
	return 0;
}
