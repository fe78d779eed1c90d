/* SPDX-License-Identifier: BSD-3-Clause */
/* Without calls of its own, a parallel region still has to share the descriptors. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
	int sum = 0, a[8];
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel default(none) shared(sum, lock)
	{
#pragma omp critical
		sum++;
#pragma omp atomic
		sum++;
		omp_set_lock(&lock);
		omp_unset_lock(&lock);
	}
	sum = sum > 0;
#pragma omp parallel for default(none) shared(a) reduction(+:sum)
	for (int i = 0; i < 8; i++) {
		a[i] = i;
		sum += a[i];
	}
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
#pragma omp critical
		sum++;
	}
	printf("%d\n", sum);
	return 0;
}
