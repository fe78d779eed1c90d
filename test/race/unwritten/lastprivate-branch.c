/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data: the last iteration does not write the lastprivate variable.
 */
int main(void)
{
	int found = 0;

#pragma omp parallel for num_threads(2) lastprivate(found)
	for (int i = 0; i < 10; i++) {
#ifdef FIXED
		found = 0;
#endif
		if (i == 20)
			found = i;
	}
	if (found > 5) /* memory: read */
		return 1;
	return 0;
}
