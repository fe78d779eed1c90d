/* SPDX-License-Identifier: BSD-3-Clause */
/* Ordered: each ordered region sees what the one before it wrote, in every schedule. */
#include "plant.h"

int main(void)
{
	int plain = 0;

#pragma omp parallel num_threads(THREADS)
	{
#pragma omp for ordered schedule(dynamic)
		for (int i = 0; i < 40; i++) {
			SYNCHRONISE("omp ordered")
			plain++;
		}
#pragma omp for ordered schedule(static, 1)
		for (int i = 0; i < 40; i++) {
			SYNCHRONISE("omp ordered")
			plain++;
		}
#pragma omp for ordered schedule(guided)
		for (int i = 0; i < 40; i++) {
			SYNCHRONISE("omp ordered")
			plain++;
		}
	}
	CHECK_RESULT(plain, 120);
	return check_result();
}
