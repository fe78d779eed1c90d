/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: a loop has the clause ordered, but no ordered region around the access.
 * Only what stands in ordered regions is executed in the order of the iterations (OpenMP 5.2,
 * 15.10.2); the clause alone orders nothing. The fixed one has the region.
 */
int main(void)
{
	int log[200];
	int length = 0;
	int wrong = 0;

#pragma omp parallel for ordered schedule(static, 10)
	for (int i = 0; i < 200; i++) {
#ifdef FIXED
#pragma omp ordered
#endif
		log[length++] = i; /* race: write length */ /* race: write log */
	}
	for (int i = 0; i < 200; i++)
		wrong += length != 200 || log[i] != i;
	return wrong != 0;
}
