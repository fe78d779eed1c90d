/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: loops with all their clauses, alone and within other constructs, whose results are
 * right.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 96 };

static int a[N], b[N], c[N][8];
static int failures;

#define EXPECT(value, expected)                                                                    \
	do {                                                                                       \
		long found = (value);                                                              \
		if (found != (expected)) {                                                         \
			printf("line %d: expected %ld, found %ld\n", __LINE__, (long)(expected),   \
			    found);                                                                \
			failures++;                                                                \
		}                                                                                  \
	} while (0)

static void private_arrays(void)
{
	int scratch[4], wrong = 0;

#pragma omp simd private(scratch)
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < 4; j++)
			scratch[j] = i + j;
		b[i] = scratch[3];
	}
	for (int i = 0; i < N; i++)
		wrong += b[i] != i + 3;
	EXPECT(wrong, 0);
}

static void array_reductions(int n)
{
	long *sums = calloc(8, sizeof(*sums)), sum = 0, product = 1;

#pragma omp simd reduction(+ : sums [0:8], sum) reduction(* : product)
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < 8; j++)
			sums[j] += i;
		sum += i;
		product *= 1 + (i == 5);
	}
	for (int j = 0; j < 8; j++)
		EXPECT(sums[j], n * (n - 1) / 2);
	EXPECT(sum, n * (n - 1) / 2);
	EXPECT(product, 2);
	free(sums);
}

static void last_values(int n)
{
	int i = -1, last = -1, step = 7, at = n;

#pragma omp simd lastprivate(last) linear(step : 2)
	for (i = 3; i < n; i += 2) {
		last = i;
		step += 2;
	}
	if (n > 3) {
		EXPECT(i, 3 + (n - 2) / 2 * 2);
		EXPECT(last, i - 2);
		EXPECT(step, 7 + (i - 3));
	}
#pragma omp simd linear(at : -1) aligned(a : 4) simdlen(4)
	for (int down = n - 1; down >= 0; down--) {
		a[down] = at;
		at--;
	}
	EXPECT(n > 0 ? a[0] : 1, 1);
}

static void safe_distances(void)
{
	int wrong = 0;

	for (int i = 0; i < 6; i++)
		a[i] = 0;
#pragma omp simd safelen(6) simdlen(2)
	for (int i = 6; i < N; i++)
		a[i] = a[i - 6] + 1;
#pragma omp simd safelen(1)
	for (int i = 1; i < N; i++)
		b[i] = b[i - 1] + 1;
	for (int i = 0; i < N; i++)
		wrong += a[i] != i / 6 || b[i] != b[0] + i;
	EXPECT(wrong, 0);
}

static void nested(void)
{
	int numbers[N], wrong = 0;

#pragma omp parallel for schedule(dynamic, 3)
	for (int row = 0; row < N; row++) {
		int own[8], thread = omp_get_thread_num();

#pragma omp simd
		for (int j = 0; j < 8; j++)
			own[j] = row + j;
#pragma omp simd collapse(1)
		for (int j = 0; j < 8; j++)
			c[row][j] = own[j] + own[7 - j];
		numbers[row] = thread - omp_get_thread_num();
	}
#pragma omp parallel
#pragma omp single
	for (int row = 0; row < N; row += 8) {
#pragma omp task firstprivate(row)
#pragma omp simd collapse(2)
		for (int i = row; i < row + 8; i++)
			for (int j = 0; j < 8; j++)
				c[i][j] += i;
	}
#pragma omp target teams distribute simd map(tofrom : c)
	for (int row = 0; row < N; row++)
		c[row][0] += 1;
	for (int row = 0; row < N; row++)
		wrong += c[row][0] != 3 * row + 8 || c[row][5] != 3 * row + 7 || numbers[row] != 0;
	EXPECT(wrong, 0);
}

/* Within a lane, so that this loop is not divided. */
__attribute__((noinline)) static int inner_sum(int n)
{
	int sum = 0;

#pragma omp simd reduction(+ : sum)
	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}

static void orders(void)
{
	int count = 0, total = 0, wrong = 0;

#pragma omp simd
	for (int i = 0; i < N; i++) {
		b[i] = inner_sum(i);
#pragma omp ordered simd
		a[count++] = i;
#pragma omp atomic
		total += 2;
	}
	for (int i = 0; i < N; i++)
		wrong += a[i] != i || b[i] != i * (i - 1) / 2;
	EXPECT(wrong, 0);
	EXPECT(total, 2 * N);
}

int main(void)
{
	static const int lengths[] = {0, 1, 2, 3, 4, 17, N};

	private_arrays();
	array_reductions(N);
	for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++)
		last_values(lengths[i]);
	safe_distances();
	nested();
	orders();
	return failures != 0;
}
