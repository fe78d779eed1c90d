/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: chunks of one iteration go round, and the dependence has a distance of 24.
 * With 2, 3, 4, 6, 8 or 12 threads the same thread executes both iterations; with 5, 7 or 9 it
 * does not. The number of threads is open (OpenMP 5.2, 10.1.1), so this is a race. The fixed one
 * goes over what does not depend on each other.
 */
enum { N = 960, DISTANCE = 24 };

static int a[N];

int main(void)
{
	int wrong = 0;

	for (int i = 0; i < DISTANCE; i++)
		a[i] = i;
#ifdef FIXED
#pragma omp parallel for schedule(static, 1)
	for (int first = DISTANCE; first < 2 * DISTANCE; first++)
		for (int i = first; i < N; i += DISTANCE)
			a[i] = a[i - DISTANCE] + 1;
#else
#pragma omp parallel for schedule(static, 1)
	for (int i = DISTANCE; i < N; i++)
		a[i] = a[i - DISTANCE] + 1; /* race: write a */ /* race: read a */
#endif
	for (int i = 0; i < N; i++)
		wrong += a[i] != i % DISTANCE + i / DISTANCE;
	return wrong != 0;
}
