/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: a maximum is kept by a plain test and an atomic write.
 * The test reads what others write, and between both another thread can write a larger value
 * (OpenMP 5.2, 15.8.4). The fixed one does both in one atomic compare.
 */
int main(void)
{
	int largest = -1;

#pragma omp parallel for schedule(dynamic, 5)
	for (int i = 0; i < 500; i++) {
		int value = i * 7 % 500;

#ifdef FIXED
#pragma omp atomic compare
		if (largest < value) {
			largest = value;
		}
#else
		if (largest < value) {   /* race: read largest */
#pragma omp atomic write
			largest = value; /* race: write largest */
		}
#endif
	}
	return largest != 499;
}
