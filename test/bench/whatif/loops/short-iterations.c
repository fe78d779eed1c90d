/* SPDX-License-Identifier: BSD-3-Clause */
/* A signal in the cache is filtered again and again: iterations of a nanosecond.
 */
#include <stdio.h>

enum { SAMPLES = 100000, ROUNDS = 3000 };

static float from[SAMPLES], to[SAMPLES];

int main(void)
{
	double sum = 0;

	for (int i = 0; i < SAMPLES; i++)
		from[i] = (float)(i % 50);
#pragma omp parallel
	for (int round = 0; round < ROUNDS; round++) {
#pragma omp for // @loop
		for (int i = 2; i < SAMPLES - 2; i++) {
			const float *in = round % 2 ? to : from;
			float *out = round % 2 ? from : to;
			out[i] = 0.1f * (in[i - 2] + in[i + 2]) + 0.2f * (in[i - 1] + in[i + 1]) +
				 0.39f * in[i];
		}
	}
	for (int i = 0; i < SAMPLES; i++)
		sum += from[i];
	printf("%.6f\n", sum);
	return 0;
}
