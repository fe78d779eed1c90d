/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: a doacross loop waits for the iteration two before, but reads from the one before.
 * A sink orders the iteration behind the named one only (OpenMP 5.2, 15.10.1). The fixed one
 * names the iteration that it reads from.
 */
enum { N = 40 };

static int a[N];

int main(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1)
	for (int i = 1; i < N; i++) {
#ifdef FIXED
#pragma omp ordered depend(sink : i - 1)
#else
#pragma omp ordered depend(sink : i - 2)
#endif
		a[i] = a[i - 1] + 1; /* race: write a */ /* race: read a */
#pragma omp ordered depend(source)
	}
	return a[N - 1] != N - 1;
}
