/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: tasks update a variable that they name as their input.
 * Tasks with depend(in) for the same item are not ordered among each other (OpenMP 5.2, 15.9.5).
 * The fixed ones have mutexinoutset: one after the other, in any order.
 */
#ifdef FIXED
#define ON_TOTAL depend(mutexinoutset : total)
#else
#define ON_TOTAL depend(in : total)
#endif

int main(void)
{
	int total = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(out : total) shared(total)
		total = 100;
		for (int i = 0; i < 10; i++) {
#pragma omp task ON_TOTAL firstprivate(i) shared(total)
			total += i; /* race: write total */
		}
#pragma omp task depend(in : total) shared(total)
		total *= 2; /* race: write total */
	}
	return total != 290;
}
