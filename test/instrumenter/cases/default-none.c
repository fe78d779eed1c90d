/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

int main(void)
{
	int sum = 0, a[8] = {0}, last = 0, value = 4;

#pragma omp parallel default(none) shared(sum)
	{
#pragma omp critical
		sum++;
#pragma omp single
#pragma omp task default(none) shared(sum)
		{
#pragma omp atomic
			sum++;
#pragma omp parallel default(none) shared(sum) num_threads(1)
#pragma omp critical
			sum++;
		}
	}
	printf("%d\n", sum > 2);
#pragma omp parallel for default(none) shared(a) lastprivate(last) firstprivate(value)
	for (int i = 0; i < 8; i++) {
		a[i] = value;
		last = i;
	}
	sum = 0;
#pragma omp parallel for simd default(none) shared(a) reduction(+:sum) linear(last)
	for (int i = 0; i < 8; i++) {
		sum += a[i];
		last++;
	}
	printf("%d %d\n", sum, last);
#pragma omp parallel for default(none) shared(a) reduction(+:sum) private(value)
	for (int i = 0; i < 8; i++) {
		value = i;
#pragma omp critical
		sum += value + a[i];
	}
#pragma omp parallel
#pragma omp single
#pragma omp taskloop default(none) shared(a)
	for (int i = 0; i < 8; i++)
#pragma omp atomic
		a[i]++;
	printf("%d %d\n", sum, a[7]);
	return 0;
}
