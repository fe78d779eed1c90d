/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

int main(void)
{
	int x = 0, v = 0, w;

#pragma omp parallel for
	for (int i = 0; i < 50; i++) {
#pragma omp atomic
		x++;
#pragma omp atomic update seq_cst
		x = x + 1;
	}
#pragma omp atomic read
	v = x;
#pragma omp atomic write
	x = 7;
#pragma omp atomic capture
	{ w = x; x += 3; }
	if (w)
#pragma omp atomic capture
		w = x++;
	printf("%d %d %d\n", v, w, x);
	return 0;
}
