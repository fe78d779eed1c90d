/* SPDX-License-Identifier: BSD-3-Clause */
/* Zeta(s) for growing s, to a precision: the larger the exponent, the fewer terms are needed. */
#include <math.h>
#include <stdio.h>

enum { ARGUMENTS = 4000 };

int main(void)
{
	double values[ARGUMENTS], sum = 0;

#pragma omp parallel for schedule(guided) // @loop
	for (int i = 0; i < ARGUMENTS; i++) {
		double exponent = 1.6 + i * 0.003, value = 0;
		for (int n = 1; n < 1000000; n++) {
			double term = pow(n, -exponent);
			value += term;
			if (term < 1e-9)
				break;
		}
		values[i] = value;
	}
	for (int i = 0; i < ARGUMENTS; i++)
		sum += values[i];
	printf("%.8f\n", sum);
	return 0;
}
