/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hidden: a race in the part that is executed for a certain value only, once in a run.
 * Two iterations of one kind write the same place; they are far apart, and each thread has many
 * others (OpenMP 5.2, 11.5). In the fixed one each kind has its place.
 */
static int places[2];

int main(void)
{
#pragma omp parallel for schedule(dynamic, 1)
	for (int i = 0; i < 2000; i++) {
		if (i == 3)
			places[0] = i; /* race: write places */
#ifdef FIXED
		if (i == 1990)
			places[1] = i;
#else
		if (i == 1990)
			places[0] = i; /* race: write places */
#endif
	}
	return places[0] < 3;
}
