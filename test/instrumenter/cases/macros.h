/* SPDX-License-Identifier: BSD-3-Clause */
#define TALLY(x) _Pragma("omp atomic") (x)++

static void from_header(int *x)
{
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
#pragma omp critical
		*x += 1;
#pragma omp section
#pragma omp critical
		*x += 1;
	}
}
