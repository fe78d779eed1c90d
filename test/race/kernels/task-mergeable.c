/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: the generating task changes a variable that its task reads from the shared data
 * environment. Whether a task runs at once or later is open (OpenMP 5.2, 12.5), also if it is
 * mergeable. The fixed task has a firstprivate copy of the value at its generation.
 */
#ifdef FIXED
#define STEP firstprivate(step)
#else
#define STEP shared(step)
#endif

static int seen[5];

int main(void)
{
	int wrong = 0;

#pragma omp parallel
#pragma omp single
	{
		int step = 0;

		while (step < 5) {
#pragma omp task STEP mergeable
			seen[step % 5] = step + 1; /* race: read step */
			step++;                    /* race: write step */
		}
#pragma omp taskwait
	}
	for (int i = 0; i < 5; i++)
		wrong += seen[i] != i + 1;
	return wrong != 0;
}
