/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target: the host uses the result of a target region with nowait at once.
 * nowait makes the region a task that may be deferred (OpenMP 5.2, 13.8 and 15.6). The fixed one
 * waits for it by taskwait.
 */
int main(void)
{
	int value = 1;
	int copy;

#pragma omp target map(tofrom : value) nowait
	value += 5; /* race: write value */
#ifdef FIXED
#pragma omp taskwait
#endif
	copy = value; /* race: read value */
#pragma omp taskwait
	return copy != 6;
}
