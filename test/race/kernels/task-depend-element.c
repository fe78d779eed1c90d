/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: the reading task names another element than the one that it reads.
 * Dependences are ordered only if they have the same list item (OpenMP 5.2, 15.9.5). The fixed one
 * names the element that it reads.
 */
int main(void)
{
	int a[10] = {0};
	int sum = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 9; i++) {
#pragma omp task depend(out : a[i]) firstprivate(i) shared(a)
		a[i] = i; /* race: write a */
#ifdef FIXED
#pragma omp task depend(in : a[i]) depend(inout : sum) firstprivate(i) shared(a)
#else
#pragma omp task depend(in : a[i + 1]) depend(inout : sum) firstprivate(i) shared(a)
#endif
		sum += a[i]; /* race: read a */
	}
	return sum != 36;
}
