/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops for check-marks.py, which finds them by their comments. */
#include <omp.h>
#include <stdio.h>
#include <time.h>

enum { ITERATIONS = 1000, EXECUTIONS = 20 };

static int done[ITERATIONS];

static void sleep_ms(long ms)
{
	nanosleep(&(struct timespec){0, ms * 1000000}, NULL);
}

/* One of many iterations takes 40 ms. */
static void heavy(void)
{
#pragma omp parallel for schedule(static) /* heavy */
	for (int i = 0; i < ITERATIONS; i++)
		if (i == 300)
			sleep_ms(40);
}

static void often(void)
{
	for (int n = 0; n < EXECUTIONS; n++) {
#pragma omp parallel for /* often */
		for (int i = 0; i < ITERATIONS; i++)
			done[i]++;
	}
}

/* The inner loops are executed while the outer one has marks. */
static void nested(void)
{
#pragma omp parallel for /* outer */
	for (int i = 0; i < 4; i++) {
#pragma omp parallel for num_threads(2) /* inner */
		for (int j = 0; j < 8; j++)
			done[j] += i;
	}
}

/* Iterations of a thread that others' lie between. */
static void chunks(void)
{
#pragma omp parallel for schedule(dynamic, 3) /* chunks */
	for (int i = 0; i < ITERATIONS; i++)
		done[i]++;
}

static void nothing(int count)
{
#pragma omp parallel for /* nothing */
	for (int i = 0; i < count; i++)
		done[i]++;
}

int main(int argc, char **argv)
{
	long sum = 0;

	(void)argv;
	heavy();
	often();
	nested();
	chunks();
	nothing(argc - 1);
	for (int i = 0; i < ITERATIONS; i++)
		sum += done[i];
	printf("%ld\n", sum);
	return sum != ITERATIONS * (EXECUTIONS + 1) + 8 * 6;
}
