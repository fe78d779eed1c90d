/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instrumented: 14
 *
 * Dependences of OpenMP 5.1: inoutset, omp_all_memory, depobj of both, and a taskwait that does not
 * wait for its own (15.9.5, 15.5).
 */
#include <omp.h>
#include <stdio.h>

int main(void)
{
	int first = 0, second = 0, together = 0, result = 0, later = 0;
	omp_depend_t object;

#pragma omp depobj(object) depend(inoutset : together)
#pragma omp parallel num_threads(4)
#pragma omp single
	{
#pragma omp task depend(out : first)
		first = 1;
#pragma omp task depend(out : second)
		second = 2;
#pragma omp task depend(inoutset : together)
		{
#pragma omp atomic
			together += 10;
		}
#pragma omp task depend(depobj : object)
		{
#pragma omp atomic
			together += 20;
		}
#pragma omp task depend(in : first, together)
		result += first + together;
#pragma omp task depend(out : omp_all_memory)
		result += second;
#pragma omp taskwait depend(inout : later) nowait
#pragma omp task depend(in : later) depend(inout : omp_all_memory)
		later = result + 1000;
#pragma omp taskwait depend(in : later)
#pragma omp taskwait
	}
#pragma omp depobj(object) destroy
	printf("%d %d\n", result, later);
	return 0;
}
