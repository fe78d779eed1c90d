/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hidden: a thread sleeps until the data are there, by all experience.
 * Time orders nothing (OpenMP 5.2, 1.4.5). The fixed one has a barrier in place of the sleep.
 */
#include <omp.h>
#include <time.h>

int main(void)
{
	int data = 0;
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	{
		if (omp_get_thread_num() == 0)
			data = 3; /* race: write data */
#ifdef FIXED
#pragma omp barrier
#else
		else
			nanosleep(&(struct timespec){0, 3000000}, NULL);
#endif
		wrong += data != 3; /* race: read data */
	}
	return wrong != 0;
}
