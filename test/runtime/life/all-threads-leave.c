/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The last thread of the program ends by pthread_exit() after having used OpenMP: idle helper
 * threads of the runtime must not keep the process alive. (A runtime that joins its pool when the
 * pool's master ends passes; the status is then 0.)
 */
#include <omp.h>
#include <pthread.h>

#include "check.h"

int main(void)
{
	int arrived = 0;

	check_alarm(20); /* the failure: the process is still there */
	omp_set_dynamic(0);
#pragma omp parallel num_threads(4)
	count(&arrived);
	CHECK_EQUAL(arrived, 4);
	if (check_result())
		return 1;
	pthread_exit(NULL);
}
