/* SPDX-License-Identifier: BSD-3-Clause */
/* A region of two threads with a task, for what OMPINST_DEBUG prints about it. */
#include <omp.h>

#include "check.h"

int main(void)
{
	int done = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task shared(done)
	done = 1;
	omp_pause_resource_all(omp_pause_hard);
	return done ? 0 : 1;
}
