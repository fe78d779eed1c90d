/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: one of two updates of a counter is atomic, the other one is not.
 * atomic protects against other atomic accesses only (OpenMP 5.2, 15.8.4). In the fixed one both
 * are.
 */
int main(void)
{
	int events = 0;

#pragma omp parallel for
	for (int i = 0; i < 300; i++) {
		if (i % 3 == 0) {
#ifdef FIXED
#pragma omp atomic
#endif
			events += 2; /* race: write events */
		} else {
#pragma omp atomic
			events += 1; /* race: write events */
		}
	}
	return events != 400;
}
