/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

static void call(int *count)
{
#pragma omp atomic
	++*count;
}

int main(void)
{
	int a = 0, b = 0, c = 0;

#pragma omp parallel
	{
#pragma omp sections nowait
		{
#pragma omp section
			call(&a);
#pragma omp section
			{
				call(&b);
			}
#pragma omp section
			c = 1; }
#pragma omp sections
		{ call(&a);
#pragma omp section
			for (int i = 0; i < 3; i++)
				call(&b);
		}
#pragma omp sections
		{
#pragma omp critical
			c++;
#pragma omp section
			if (c > 100)
				call(&b);
			else
				call(&a);
		}
#pragma omp sections
		<%
			call(&a);
		%>
	}
	printf("%d %d %d\n", a, b, c);
	return 0;
}
