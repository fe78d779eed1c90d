/* SPDX-License-Identifier: BSD-3-Clause */
/* The header of aarch64's vector intrinsics, with types and builtins of each compiler. */
#include <arm_neon.h>
#include <stdio.h>

__attribute__((target("arch=armv8.2-a+dotprod"))) static void multiply(
    int32_t *sums, const int8_t *a, const int8_t *b)
{
	int32x4_t sum = vdotq_s32(vld1q_s32(sums), vld1q_s8(a), vld1q_s8(b));

#pragma omp critical
	vst1q_s32(sums, sum);
}

static void add(float *a, const float *b, int n)
{
#pragma omp parallel for
	for (int i = 0; i < n; i += 4)
		vst1q_f32(a + i, vaddq_f32(vld1q_f32(a + i), vld1q_f32(b + i)));
}

int main(int count, char **arguments)
{
	float a[64], b[64], sum = 0;
	int32_t sums[4] = {0};
	int8_t bytes[16] = {0};

	for (int i = 0; i < 64; i++) {
		a[i] = (float)i;
		b[i] = 2;
	}
	add(a, b, 64);
#pragma omp parallel for simd reduction(+ : sum)
	for (int i = 0; i < 64; i++)
		sum += a[i];
	if (count > 1 && arguments[1][0] == 'd') /* a processor may lack it */
		multiply(sums, bytes, bytes);
	printf("%g %d\n", sum, sums[0]);
	return 0;
}
