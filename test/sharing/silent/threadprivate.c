/* SPDX-License-Identifier: BSD-3-Clause */
/* silent: counters that are threadprivate: each thread's lie in memory of its own. */
enum { STEPS = 4000000 };

static long count;
#pragma omp threadprivate(count)

int main(void)
{
	long all = 0;

#pragma omp parallel for
	for (int i = 0; i < STEPS; i++) {
		if (i & 1)
			count++;
	}
#pragma omp parallel reduction(+ : all)
	all += count;
	return all != STEPS / 2;
}
