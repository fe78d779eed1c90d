/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: a pipeline of tasks over a container, where the second stage names the container, not the
 * element. A list item of a dependence is the storage that it names (OpenMP 5.2, 15.9.5): the
 * vector object and its first element are different ones. In the fixed one both stages name the
 * element.
 */
#include <vector>

int main()
{
	std::vector<int> parts(12);
	int *data = parts.data();
	int sum = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 12; i++) {
#pragma omp task depend(out : data[i]) firstprivate(i, data)
		data[i] = i + 1; /* race: write element */
#ifdef FIXED
#pragma omp task depend(in : data[i]) firstprivate(i, data) shared(sum)
#else
#pragma omp task depend(in : parts) firstprivate(i, data) shared(sum)
#endif
		{
			int value = data[i]; /* race: read element */
#pragma omp atomic
			sum += value;
		}
	}
	return sum != 78;
}
