/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: two sibling tasks change one variable.
 * Nothing orders siblings without dependences (OpenMP 5.2, 12.5). The fixed ones have
 * depend(inout) on it (15.9.5).
 */
#ifdef FIXED
#define ON_BALANCE depend(inout : balance)
#else
#define ON_BALANCE shared(balance)
#endif

int main(void)
{
	int balance = 1;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task ON_BALANCE
		balance += 4; /* race: write balance */
#pragma omp task ON_BALANCE
		balance *= 3; /* race: write balance */
	}
	return balance != 15;
}
