/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: the directive comes from a macro, and one pair of iterations conflicts.
 * The fixed one writes its own element only.
 */
#define PRAGMA(words)  _Pragma(#words)
#define EACH(i, count) _Pragma("omp parallel for") for (int i = 0; i < (count); i++)
#define ALSO(i, count)  PRAGMA(omp parallel for) for (int i = 0; i < (count); i++)

enum { N = 750, PLACE = 330 };

static int left[N + 1], right[N + 1];

int main(void)
{
	int wrong = 0;

	EACH(i, N)
	{
		left[i] = i; /* race: write left */
#ifndef FIXED
		if (i == PLACE)
			left[i + 1] = i + 1; /* race: write left */
#endif
	}
	ALSO(i, N)
	{
		right[i] = i; /* race: write right */
#ifndef FIXED
		if (i == PLACE)
			right[i + 1] = i + 1; /* race: write right */
#endif
	}
	for (int i = 0; i < N; i++)
		wrong += left[i] != i || right[i] != i;
	return wrong != 0;
}
