/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic updates of a type without atomic instructions: the runtime's fallback orders them. */
#include "plant.h"

int main(void)
{
	long double wide = 0;

#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < 50; i++) {
		SYNCHRONISE("omp atomic")
		wide += 1;
	}
	CHECK_RESULT((int)wide, 50 * THREADS);
	return check_result();
}
