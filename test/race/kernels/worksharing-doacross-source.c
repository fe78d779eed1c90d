/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: a doacross loop says that it is ready before it has written.
 * What an iteration does behind its source is not ordered before the iterations that wait for it
 * (OpenMP 5.2, 15.10.1). In the fixed one the source comes last.
 */
enum { N = 150 };

static long a[N];

int main(void)
{
	a[0] = 1;
#pragma omp parallel for ordered(1) schedule(dynamic)
	for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
#ifndef FIXED
#pragma omp ordered depend(source)
#endif
		a[i] = a[i - 1] + i; /* race: write a */ /* race: read a */
#ifdef FIXED
#pragma omp ordered depend(source)
#endif
	}
	return a[N - 1] != 1 + (N - 1) * N / 2;
}
