/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: the ordered regions of two different loops use one buffer, without a barrier.
 * The order of ordered regions is that of one loop's iterations (OpenMP 5.2, 15.10.2): with nowait
 * the second loop's may run beside the first loop's. The fixed one keeps the barrier.
 */
#ifdef FIXED
#define FIRST for                                                                                  \
	ordered
#else
#define FIRST for                                                                                  \
	ordered nowait
#endif

int main(void)
{
	int written = 0;

#pragma omp parallel
	{
#pragma omp FIRST
		for (int i = 0; i < 60; i++) {
#pragma omp ordered
			written += 2; /* race: write written */
		}
#pragma omp for ordered schedule(static, 1)
		for (int i = 0; i < 60; i++) {
#pragma omp ordered
			written -= 1; /* race: write written */
		}
	}
	return written != 60;
}
