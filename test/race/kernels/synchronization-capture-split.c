/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: a place in a list is taken by an atomic update and a read behind it.
 * The read is not atomic, and another thread can have taken a place meanwhile (OpenMP 5.2, 15.8.4).
 * The fixed one captures the value in the update.
 */
static int list[600];

int main(void)
{
	int length = 0;
	long sum = 0;

#pragma omp parallel for
	for (int i = 0; i < 500; i++) {
		int place;

#ifdef FIXED
#pragma omp atomic capture
		place = length++;
#else
#pragma omp atomic
		length++;           /* race: write length */
		place = length - 1; /* race: read length */
#endif
		list[place] = i; /* race: write list */
	}
	for (int i = 0; i < 500; i++)
		sum += list[i];
	return length != 500 || sum != 124750;
}
