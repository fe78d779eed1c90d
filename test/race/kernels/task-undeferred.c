/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: an undeferred task is to read what an earlier sibling writes.
 * if(0) lets the generating task wait for that task (OpenMP 5.2, 12.5), but orders it with no
 * earlier one. The fixed tasks have dependences.
 */
#ifdef FIXED
#define WRITES depend(out : value)
#define READS  depend(in : value)
#else
#define WRITES shared(value)
#define READS  shared(value)
#endif

static int value;

int main(void)
{
	int copy = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task WRITES
		value = 9; /* race: write value */
#pragma omp task if (0) READS shared(copy)
		copy = value; /* race: read value */
	}
	return copy != 9;
}
