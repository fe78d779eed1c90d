/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: one thread generates tasks in a single region with nowait, and all threads read the
 * results. Tasks are complete at the next barrier of the team (OpenMP 5.2, 15.3.1), which nowait
 * removes. The fixed one has it.
 */
static int squares[50];

int main(void)
{
	int sum = 0;

#pragma omp parallel reduction(+ : sum)
	{
#ifdef FIXED
#pragma omp single
#else
#pragma omp single nowait
#endif
		for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(i)
			squares[i] = i * i; /* race: write squares */
		}
#pragma omp for
		for (int i = 0; i < 50; i++)
			sum += squares[i]; /* race: read squares */
	}
	return sum != 40425;
}
