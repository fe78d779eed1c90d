/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of three loops, of which the second takes SLOWER per cent more work; for gate.py. */
#include <math.h>
#include <stdio.h>

enum { POINTS = 20000, STEPS = 6, TURNS = 100 };

static double field[POINTS], next[POINTS];

static double work(double value, int turns)
{
	for (int i = 0; i < turns; i++)
		value = value * 0.999 + sqrt(value + 1.0) * 0.001;
	return value;
}

int main(void)
{
	double sum = 0;

	for (int i = 0; i < POINTS; i++)
		field[i] = i % 97;
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for
		for (int i = 1; i < POINTS - 1; i++)
			next[i] = work((field[i - 1] + field[i] + field[i + 1]) / 3, TURNS);
#pragma omp parallel for schedule(dynamic, 100)
		for (int i = 1; i < POINTS - 1; i++)
			field[i] = work(next[i], TURNS + TURNS * SLOWER / 100);
#pragma omp parallel for reduction(+ : sum)
		for (int i = 0; i < POINTS; i++)
			sum += work(field[i], TURNS);
	}
	printf("%.6g\n", sum);
	return 0;
}
