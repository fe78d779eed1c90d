/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: a loop whose variable is declared before it, and goes on behind it with the rest.
 * The fixed loop does whole groups of four by lanes and the rest one after the other; in the racy
 * one, lanes also update the count of what is done (OpenMP 5.2, 5.1.1).
 */
enum { N = 103 };

static int a[N];

static int fill(int n)
{
	int i, done = 0;

#pragma omp simd
	for (i = 0; i < n - n % 4; i++) {
		a[i] += 1;
#ifndef FIXED
		done++; /* race: write done; race: read done */
#endif
	}
#ifdef FIXED
	done = i;
#endif
	for (; i < n; i++, done++)
		a[i] += 1;
	return done;
}

int main(void)
{
	int wrong = fill(N) != N || fill(7) != 7;

	for (int i = 0; i < N; i++)
		wrong += a[i] != (i < 7 ? 2 : 1);
	return wrong != 0;
}
