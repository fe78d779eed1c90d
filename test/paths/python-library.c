/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that programs of Python call: each call forks a team that works. */
double compute(int turns);

static double __attribute__((noinline)) kernel(double x, int turns)
{
	for (int i = 0; i < turns; i++)
		x = x * 0.999999 + 1e-6;
	return x;
}

double compute(int turns)
{
	double sum[2] = {0};

#pragma omp parallel // {compute}
	if (kernel(1, turns) > 2)
		sum[0] = 1;
	return sum[0];
}
