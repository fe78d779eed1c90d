/* SPDX-License-Identifier: BSD-3-Clause */
/* Every schedule, collapse, signed and unsigned bounds, doacross, taskloop, simd, cancellation. */
#include <stdio.h>
#include <stdlib.h>

/* ROWS of a doacross loop, in which libgomp's threads wait actively, more of them than there may be
 * processors. */
enum { N = 200, ROWS = 24 };

static int wave[ROWS][20];

static long schedules(void)
{
	long sum = 0;
	int last = 0;

#pragma omp parallel
	{
#pragma omp for schedule(static) reduction(+ : sum)
		for (int i = 0; i < N; i++)
			sum += i;
#pragma omp for schedule(static, 7) reduction(+ : sum) nowait
		for (int i = N; i > 0; i -= 3)
			sum += i;
#pragma omp for schedule(dynamic) reduction(+ : sum)
		for (unsigned long long i = 18446744073709551000ULL; i < 18446744073709551600ULL;
		     i += 7)
			sum += (long)(i & 15);
#pragma omp for schedule(nonmonotonic : dynamic, 5) reduction(+ : sum)
		for (long i = -N; i <= N; i++)
			sum += i * i;
#pragma omp for schedule(monotonic : guided, 2) collapse(2) reduction(+ : sum)
		for (int i = 0; i < 20; i++)
			for (int j = 0; j < 30; j += 4)
				sum += i ^ j;
#pragma omp for schedule(runtime) reduction(+ : sum)
		for (short i = 0; i < 100; i++)
			sum += i;
#pragma omp for schedule(auto) lastprivate(last)
		for (int i = 0; i < N; i++)
			last = i;
	}
	return sum + last;
}

static void doacross(void)
{
#pragma omp parallel for ordered(2) schedule(static, 1)
	for (int i = 1; i < ROWS; i++)
		for (int j = 1; j < 20; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
			wave[i][j] = (wave[i - 1][j] + wave[i][j - 1] + 1) % 1009;
#pragma omp ordered depend(source)
		}
}

int main(void)
{
	static float x[N];
	long sum = 0;
	int found = -1;

	printf("%ld\n", schedules());
	doacross();
	printf("%d\n", wave[ROWS - 1][19]);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(9) shared(x)
	for (int i = 0; i < N; i++)
		x[i] = (float)i;
#pragma omp parallel for simd reduction(+ : sum)
	for (int i = 0; i < N; i++)
		sum += (long)x[i];
#pragma omp parallel for
	for (int i = 0; i < N; i++) {
		if (i == 77) {
#pragma omp atomic write
			found = i;
#pragma omp cancel for
		}
#pragma omp cancellation point for
	}
	printf("%ld %d\n", sum, found);
	return 0;
}
