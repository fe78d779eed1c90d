/* SPDX-License-Identifier: BSD-3-Clause */
/* A spectrum by the definition, with calls of sin and cos for each sample and frequency. */
#include <math.h>
#include <stdio.h>

enum { SAMPLES = 6000, FREQUENCIES = 5600 };

int main(void)
{
	static double signal[SAMPLES], power[FREQUENCIES];
	double sum = 0;

	for (int i = 0; i < SAMPLES; i++)
		signal[i] = sin(0.05 * i) + 0.3 * cos(0.31 * i);
#pragma omp parallel for // @loop
	for (int frequency = 0; frequency < FREQUENCIES; frequency++) {
		double re = 0, im = 0;
		for (int i = 0; i < SAMPLES; i++) {
			double angle = 6.283185307179586 * frequency * i / SAMPLES;
			re += signal[i] * cos(angle);
			im -= signal[i] * sin(angle);
		}
		power[frequency] = sqrt(re * re + im * im);
	}
	for (int frequency = 0; frequency < FREQUENCIES; frequency++)
		sum += power[frequency] * frequency;
	printf("%.3f\n", sum);
	return 0;
}
