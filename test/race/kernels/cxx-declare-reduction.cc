/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: an object with operator+= gathers results of a parallel loop.
 * The operator changes members of the shared object. The fixed one declares a reduction by means
 * of that operator (OpenMP 5.2, 5.5.11).
 */
struct moments {
	long count = 0, sum = 0;

	moments &operator+=(const moments &other)
	{
		count += other.count; /* race: write count */
		sum += other.sum;     /* race: write sum */
		return *this;
	}
};

#ifdef FIXED
#pragma omp declare reduction(+ : moments : omp_out += omp_in)
#define ALL reduction(+ : all)
#else
#define ALL shared(all)
#endif

int main()
{
	moments all;

#pragma omp parallel for ALL
	for (int i = 0; i < 400; i++) {
		moments one;
		one.count = 1;
		one.sum = i;
		all += one;
	}
	return all.count != 400 || all.sum != 79800;
}
