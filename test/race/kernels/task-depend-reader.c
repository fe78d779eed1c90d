/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: two writing tasks are ordered, the reading one between them names no dependence.
 * A task without a dependence is ordered with none of its siblings (OpenMP 5.2, 15.9.5). The fixed
 * reader has depend(in).
 */
#ifdef FIXED
#define READS depend(in : step)
#else
#define READS shared(step)
#endif

static int step;

int main(void)
{
	int seen = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(out : step)
		step = 1; /* race: write step */
#pragma omp task READS shared(seen)
		seen = step; /* race: read step */
#pragma omp task depend(out : step)
		step = 2; /* race: write step */
	}
	return step != 2 || seen != 1;
}
