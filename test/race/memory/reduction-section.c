/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduction: a loop writes behind the section of an array that the reduction clause has.
 */
static int counts[8];

int main(void)
{
#ifdef FIXED
#pragma omp parallel for num_threads(2) reduction(+ : counts[:8])
#else
#pragma omp parallel for num_threads(2) reduction(+ : counts[:4]) /* memory: copy */
#endif
	for (int i = 0; i < 5; i++)
		counts[i]++; /* memory: write */
	return counts[0] != 1;
}
