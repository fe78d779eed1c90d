/* SPDX-License-Identifier: BSD-3-Clause */
/* silent: arithmetic: long computations on few numbers, and a reduction. */
enum { LENGTH = 2000, STEPS = 3000 };

int main(void)
{
	double sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < LENGTH; i++) {
		double x = i;

		for (int step = 0; step < STEPS; step++)
			x = x * 0.999 + 1;
		sum += x;
	}
	return sum <= 0;
}
