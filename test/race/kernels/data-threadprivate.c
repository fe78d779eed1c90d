/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data: a random number generator keeps its state in a static variable of the file.
 * Such a variable is shared in what a region calls (OpenMP 5.2, 5.1.2). The fixed one is
 * threadprivate and gets the initial thread's value by copyin (5.2 and 5.7.1).
 */
static unsigned state = 1;

#ifdef FIXED
#pragma omp threadprivate(state)
#define COPY_STATE copyin(state)
#else
#define COPY_STATE
#endif

static unsigned next_number(void)
{
	state = state * 1103515245u + 12345u; /* race: write state */
	return state >> 16;
}

int main(void)
{
	int small = 0;

	state = 42;
#pragma omp parallel COPY_STATE reduction(+ : small)
	{
#pragma omp for
		for (int i = 0; i < 300; i++)
			small += next_number() < 65536u;
	}
	return small != 300;
}
