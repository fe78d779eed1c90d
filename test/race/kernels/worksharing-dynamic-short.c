/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: two dynamic chunks, so short that the first thread usually executes both.
 * Which thread gets a chunk is open (OpenMP 5.2, 11.5.3): the element at the border is read and
 * written by different threads in other runs. The fixed one reads another array.
 */
static int a[33], source[33];

int main(void)
{
	int wrong = 0;

	for (int i = 0; i < 33; i++)
		source[i] = i;
#pragma omp parallel for schedule(dynamic, 16)
	for (int i = 0; i < 32; i++) {
#ifdef FIXED
		a[i] = source[i];
#else
		a[i + 1] = i + 1; /* race: write a */
		a[i] = source[i]; /* race: write a */
#endif
	}
	for (int i = 0; i < 32; i++)
		wrong += a[i] != i;
	return wrong != 0;
}
