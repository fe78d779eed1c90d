/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: the order of two tasks is left to their priorities.
 * A priority is a hint, and no synchronization (OpenMP 5.2, 12.4). The fixed one orders both by
 * dependences.
 */
#ifdef FIXED
#define WRITES depend(out : sent)
#define READS  depend(in : sent)
#else
#define WRITES priority(10)
#define READS  priority(1)
#endif

static int sent;

int main(void)
{
	int received = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task WRITES
		sent = 77; /* race: write sent */
#pragma omp task READS shared(received)
		received = sent; /* race: read sent */
	}
	return received != 77;
}
