/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: a task uses a local variable of the routine that generated it.
 * When the routine returns before the task is executed, the variable is gone and its memory in
 * other use (OpenMP 5.2, 5.1.1 and 12.5). The fixed routine waits for its task.
 */
static int doubled[40];

static void generate(int value)
{
	int local[2] = {value, 2}; /* race: write local */

#pragma omp task shared(local) firstprivate(value)
	{
		doubled[value] = local[0] * local[1]; /* race: read local */
	}
#ifdef FIXED
#pragma omp taskwait
#endif
}

int main(void)
{
	int wrong = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 40; i++)
		generate(i);
	for (int i = 0; i < 40; i++)
		wrong += doubled[i] != 2 * i;
	return wrong != 0;
}
