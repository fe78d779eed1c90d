/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: two tasks name the same element in an affinity clause.
 * affinity is a hint where a task is best executed, and orders nothing (OpenMP 5.2, 12.5.1). The
 * fixed tasks depend on the element.
 */
#ifdef FIXED
#define NEAR(item) depend(inout : item)
#else
#define NEAR(item) affinity(item)
#endif

static int cells[4];

int main(void)
{
	int wrong = 0;

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < 5; round++)
		for (int i = 0; i < 4; i++) {
#pragma omp task NEAR(cells[i]) firstprivate(i)
			cells[i] += i; /* race: write cells */
		}
	for (int i = 0; i < 4; i++)
		wrong += cells[i] != 5 * i;
	return wrong != 0;
}
