/* SPDX-License-Identifier: BSD-3-Clause */
#include <omp.h>
#include <stdio.h>

int main(void)
{
	omp_event_handle_t event = (omp_event_handle_t)0;
	int x = 0, y = 0, untied_count = 0, p = 3;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task detach(event) shared(x)
		{
#pragma omp atomic
			x++;
			omp_fulfill_event(event);
		}
#pragma omp taskwait
#pragma omp task untied firstprivate(p) shared(untied_count)
		{
#pragma omp atomic
			untied_count += p;
		}
#pragma omp task firstprivate(p) allocate(p) shared(y)
		{
			p++;
#pragma omp atomic
			y += p;
		}
	}
	printf("%d %d %d\n", x, y, untied_count);
	return 0;
}
