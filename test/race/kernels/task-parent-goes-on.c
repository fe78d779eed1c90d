/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: the generating task writes what its task reads, behind the task construct.
 * The task may be executed before, after or during that write (OpenMP 5.2, 12.5). The fixed one
 * writes behind a taskwait.
 */
static int input = 8;

int main(void)
{
	int output = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task shared(output)
		output = input * 2; /* race: read input */
#ifdef FIXED
#pragma omp taskwait
#endif
		input = 1; /* race: write input */
	}
	return output != 16 || input != 1;
}
