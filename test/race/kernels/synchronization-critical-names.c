/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: two critical regions with different names protect one variable.
 * Critical regions exclude each other only if they have the same name (OpenMP 5.2, 15.2). The
 * fixed ones have.
 */
#ifdef FIXED
#define OUT critical(account)
#else
#define OUT critical(withdraw)
#endif

int main(void)
{
	int balance = 0;

#pragma omp parallel for
	for (int i = 0; i < 400; i++) {
		if (i % 2 == 0) {
#pragma omp critical(account)
			balance += 3; /* race: write balance */
		} else {
#pragma omp OUT
			balance -= 2; /* race: write balance */
		}
	}
	return balance != 200;
}
