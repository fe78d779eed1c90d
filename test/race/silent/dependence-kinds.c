/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: dependences of all kinds in one graph: out, in, inout, mutexinoutset, depend objects,
 * iterators, array sections, and a taskwait with a dependence.
 */
#include <omp.h>

enum { PARTS = 6 };

static int parts[PARTS], log_of_sums[4];

int main(void)
{
	int sum = 0, early = 0;
	omp_depend_t on_sum;

#pragma omp parallel
#pragma omp single
	{
#pragma omp depobj(on_sum) depend(inout : sum)
		for (int i = 0; i < PARTS; i++) {
#pragma omp task depend(out : parts[i]) firstprivate(i)
			parts[i] = i + 1;
#pragma omp task depend(in : parts[i]) depend(mutexinoutset : sum) firstprivate(i) shared(sum)
			sum += parts[i];
		}
#pragma omp taskwait depend(in : parts[2])
		early = parts[2];
#pragma omp task depend(iterator(i = 0 : PARTS), in : parts[i]) depend(depobj : on_sum) shared(sum)
		for (int i = 0; i < PARTS; i++)
			sum += parts[i];
#pragma omp task depend(in : sum) depend(out : log_of_sums [0:2]) shared(sum)
		log_of_sums[0] = log_of_sums[1] = sum;
#pragma omp task depend(in : sum) depend(out : log_of_sums [2:2]) shared(sum)
		log_of_sums[2] = log_of_sums[3] = sum;
#pragma omp task depend(inout : sum, log_of_sums [0:2], log_of_sums [2:2]) shared(sum)
		sum += log_of_sums[0] + log_of_sums[3];
#pragma omp taskwait
#pragma omp depobj(on_sum) destroy
	}
	return early != 3 || sum != 126;
}
