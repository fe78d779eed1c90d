/* SPDX-License-Identifier: BSD-3-Clause */
/* The headers of vector intrinsics, of which each compiler has its own, with builtins of its own. */
#include <immintrin.h>
#include <stdio.h>

__attribute__((target("avx512f"))) static void add_sixteen(float *a, const float *b)
{
	__m512 sum = _mm512_add_ps(_mm512_loadu_ps(a), _mm512_loadu_ps(b));

#pragma omp critical
	_mm512_storeu_ps(a, _mm512_mask_mul_ps(sum, 0xff, sum, _mm512_set1_ps(1)));
}

static void add_wide(float *a, const float *b, int n)
{
#pragma omp parallel for
	for (int i = 0; i < n; i += 16)
		add_sixteen(a + i, b + i);
}

static void add(float *a, const float *b, int n)
{
#pragma omp parallel for
	for (int i = 0; i < n; i += 4)
		_mm_storeu_ps(a + i, _mm_add_ps(_mm_loadu_ps(a + i), _mm_loadu_ps(b + i)));
}

int main(int argc, char **argv)
{
	float a[64], b[64], sum = 0;

	for (int i = 0; i < 64; i++) {
		a[i] = i;
		b[i] = 1;
	}
	if (argc > 1 && argv[1][0] == 'w') /* not every processor has what this needs */
		add_wide(a, b, 64);
	else
		add(a, b, 64);
#pragma omp parallel for simd reduction(+ : sum)
	for (int i = 0; i < 64; i++)
		sum += a[i];
	printf("%g\n", sum);
	return 0;
}
