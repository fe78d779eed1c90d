/* SPDX-License-Identifier: BSD-3-Clause */
/* A shared library of the user for outside.c, with one function of the name of MPI's. */
#include <omp.h>
#include <time.h>

#include "outside-library.h"

void sleep_in_library(void)
{
	struct timespec long_time = {1000, 0};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &long_time, NULL);
}

void region_in_library(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1)
		sleep_in_library();
}

/* As MPI's libraries wait: the thread polls. */
int MPI_Send(volatile int *flag, int destination, int send_tag)
{
	(void)destination; /* a debugger reads them */
	(void)send_tag;
	while (*flag == 0)
		;
	return 0;
}
