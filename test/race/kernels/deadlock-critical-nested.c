/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: a critical construct calls a function with another one of the same name.
 * The thread waits for itself (OpenMP 5.2, 17.1). The fixed function's has another name.
 */
#ifdef FIXED
#define INNER messages
#else
#define INNER totals
#endif

static int total, messages;

static void report(void)
{
#pragma omp critical(INNER) /* deadlock: critical (totals) */
	messages++;
}

int main(void)
{
#pragma omp parallel
	{
#pragma omp critical(totals) /* deadlock: critical (totals) */
		{
			total++;
			report();
		}
	}
	return 0;
}
