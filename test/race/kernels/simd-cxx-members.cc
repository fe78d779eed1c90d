// SPDX-License-Identifier: BSD-3-Clause
// simd: a member function updates a member scalar, without this, for each element.
// The lanes share the object (OpenMP 5.2, 5.1.1). The fixed one sums up in a variable of its own.
struct histogram {
	int bins[8] = {};
	int total = 0;

	void add(const int *values, int count)
	{
#ifdef FIXED
		int sum = 0;
#pragma omp simd reduction(+ : sum)
		for (int i = 0; i < count; i++)
			sum += values[i];
		total += sum;
#else
#pragma omp simd
		for (int i = 0; i < count; i++)
			total += values[i]; // race: write total; race: read total
#endif
	}
};

int main()
{
	int values[64];
	histogram all;

	for (int i = 0; i < 64; i++)
		values[i] = i;
	all.add(values, 64);
	return all.total != 2016;
}
