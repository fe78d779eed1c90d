/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: tasks share the variable of the loop that generates them.
 * It is declared outside of the construct and listed as shared, so that a task reads it while the
 * loop goes on (OpenMP 5.2, 5.1.1). The fixed tasks have it firstprivate.
 */
#ifdef FIXED
#define INDEX firstprivate(i)
#else
#define INDEX shared(i)
#endif

static int marks[30];

int main(void)
{
	int wrong = 0;

#pragma omp parallel
#pragma omp single
	{
		int i;

		for (i = 0; i < 29; i++) { /* race: write i */
#pragma omp task INDEX
			{
#pragma omp atomic
				marks[i]++; /* race: read i */
			}
		}
#pragma omp taskwait
	}
	for (int i = 0; i < 29; i++)
		wrong += marks[i] != 1;
	return wrong != 0;
}
