/* SPDX-License-Identifier: BSD-3-Clause */
/* A loop with little work between two barriers, as solvers have them. */
enum { N = 100000, STEPS = 5 };
static double a[N], b[N];
int main(void)
{
	double sum = 0;
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for
		for (int i = 1; i < N - 1; i++)
			b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
#pragma omp parallel for
		for (int i = 1; i < N - 1; i++)
			a[i] = b[i] + 1;
	}
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < N; i++)
		sum += a[i];
	return sum < 0;
}
