/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskloop: tasks write the value that is needed behind the loop into a shared variable.
 * Which task writes last is open. The fixed construct has lastprivate (OpenMP 5.2, 5.4.5).
 */
#ifdef FIXED
#define LAST lastprivate(last)
#else
#define LAST shared(last)
#endif

int main(void)
{
	int last = 0;

#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(5) LAST
	for (int i = 0; i < 60; i++)
		last = i; /* race: write last */
	return last != 59;
}
