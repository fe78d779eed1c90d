/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: an orphaned loop in a routine, whose result the caller uses at once.
 * The loop binds to the caller's team; with nowait it has no barrier, and the call is none
 * (OpenMP 5.2, 11.5). The fixed routine keeps the barrier.
 */
#ifdef FIXED
#define LOOP for
#else
#define LOOP for                                                                                   \
	nowait
#endif

static double field[300];

static void scale(double factor)
{
#pragma omp LOOP
	for (int i = 0; i < 300; i++)
		field[i] = factor * i; /* race: write field */
}

int main(void)
{
	double largest = 0;

#pragma omp parallel reduction(max : largest)
	{
		scale(0.5);
		for (int i = 0; i < 300; i++)
			largest = field[i] > largest ? field[i] : largest; /* race: read field */
	}
	return largest != 149.5;
}
