/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: only the tasks below a certain depth are final, and only these are executed at once.
 * The children above that depth may be deferred (OpenMP 5.2, 12.3 and 12.5), so that their parent
 * adds up too early. The fixed one waits for them at each depth.
 */
static long count(int depth)
{
	long left = 0, right = 0;

	if (depth == 0)
		return 1;
#pragma omp task shared(left) final(depth < 3)
	left = count(depth - 1);
#ifdef FIXED
	right = count(depth - 1);
#pragma omp taskwait
#else
#pragma omp taskwait
#pragma omp task shared(right) final(depth < 3)
	right = count(depth - 1); /* race: write right */
#endif
	long sum = left + right; /* race: read right */
#ifndef FIXED
#pragma omp taskwait
#endif
	return sum;
}

int main(void)
{
	long leaves = 0;

#pragma omp parallel
#pragma omp single
	leaves = count(7);
	return leaves != 128;
}
