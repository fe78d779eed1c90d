/* SPDX-License-Identifier: BSD-3-Clause */
/* A reduction of several variables as GCC 17 executes it: one member at a time combines its copies.
 */
#include "plant.h"

#include "gcc17.h"

int main(void)
{
	long sum = 0, squares = 0;

	if (!CHECK(gcc17_has_entries()))
		return check_result();
#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < 50; i++) {
		SYNCHRONISING(GOMP_reduction_start();)
		sum += i;
		squares += i * i;
		SYNCHRONISING(GOMP_reduction_end();)
	}
	CHECK_RESULT(sum, THREADS * 50 * 49 / 2);
	CHECK_RESULT(squares, THREADS * 40425);
	return check_result();
}
