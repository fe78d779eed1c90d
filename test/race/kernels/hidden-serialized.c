/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hidden: a region that is executed by a team only if there is enough to do.
 * The if clause makes small inputs harmless (OpenMP 5.2, 3.4 and 10.1); the second one is large.
 * The fixed one reduces.
 */
static long sum_to(int n)
{
	long sum = 0;

#ifdef FIXED
#pragma omp parallel for if (n > 500) reduction(+ : sum)
#else
#pragma omp parallel for if (n > 500)
#endif
	for (int i = 1; i <= n; i++)
		sum += i; /* race: write sum */
	return sum;
}

int main(void)
{
	int wrong = 0;

	for (int n = 1; n <= 100; n++)
		wrong += sum_to(n) != (long)n * (n + 1) / 2;
	return wrong != 0 || sum_to(1000) != 500500;
}
