/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: an ordered region updates a list, and one iteration looks into it outside of the
 * region. Only the ordered regions are executed one after the other (OpenMP 5.2, 15.10). The fixed
 * one looks inside.
 */
enum { N = 300, PLACE = 140 };

static int list[N], length, seen;

int main(void)
{
	int wrong = 0;

#pragma omp parallel for ordered
	for (int i = 0; i < N; i++) {
#ifndef FIXED
		if (i == PLACE)
			seen = length; /* race: read length */
#endif
#pragma omp ordered
		{
#ifdef FIXED
			if (i == PLACE)
				seen = length;
#endif
			list[length] = i;
			length++; /* race: write length */
		}
	}
	for (int i = 0; i < N; i++)
		wrong += list[i] != i;
	return wrong != 0 || seen > N;
}
