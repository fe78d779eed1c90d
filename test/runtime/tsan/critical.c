/* SPDX-License-Identifier: BSD-3-Clause */
/* Critical regions, named and unnamed, order each other. */
#include "plant.h"

int main(void)
{
	int unnamed = 0;
	int named = 0;

#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < 50; i++) {
		SYNCHRONISE("omp critical")
		unnamed++;
		SYNCHRONISE("omp critical(name)")
		named++;
	}
	CHECK_RESULT(unnamed, 50 * THREADS);
	CHECK_RESULT(named, 50 * THREADS);
	return check_result();
}
