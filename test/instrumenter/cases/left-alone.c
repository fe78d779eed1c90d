/* SPDX-License-Identifier: BSD-3-Clause */
/* What cannot be instrumented is left as it is, with a reason; the rest of the file is not. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
	int x = 0;
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp simd
	for (int i = 0; i < 4; i++) {
#pragma pomp inst begin(in simd)
		x += i;
#pragma pomp inst end(in simd)
	}
#pragma omp target if(0)
	{
		omp_set_lock(&lock);
		omp_unset_lock(&lock);
	}
#pragma omp parallel num_threads(2)
	{
		omp_set_lock(&lock);
		x++;
		omp_unset_lock(&lock);
	}
#pragma omp nothing
	printf("%d\n", x);
	return 0;
}
