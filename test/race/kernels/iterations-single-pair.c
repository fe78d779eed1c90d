/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: one iteration of a thousand writes the element of the next one.
 * Iterations are concurrent whichever threads execute them (OpenMP 5.2, 11.5), also two that one
 * thread usually has. The fixed one notes the value elsewhere.
 */
enum { N = 1000, PLACE = 57 };

static int a[N + 1], noted;

int main(void)
{
	int wrong = 0;

#pragma omp parallel for
	for (int i = 0; i < N; i++) {
		a[i] = 2 * i; /* race: write a */
		if (i == PLACE)
#ifdef FIXED
			noted = 1;
#else
			a[i + 1] = 1; /* race: write a */
#endif
	}
	for (int i = 0; i < N; i++)
		wrong += a[i] != 2 * i;
	return wrong != 0 || noted > 1;
}
