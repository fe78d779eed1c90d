/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: a parallel range-based for loop, whose body appends what it finds to one vector.
 * Appending changes the vector's size, and may move its elements (OpenMP 5.2, 1.4.1). In the fixed
 * one each thread fills a vector of its own.
 */
#include <vector>

int main()
{
	std::vector<int> numbers(200), even;

	for (int i = 0; i < 200; i++)
		numbers[i] = i;
	even.reserve(400);
#pragma omp parallel
	{
#ifdef FIXED
		std::vector<int> found;
#else
		std::vector<int> &found = even;
#endif
#pragma omp for
		for (int number : numbers)
			if (number % 2 == 0)
				found.push_back(number); /* race: write even */
#ifdef FIXED
#pragma omp critical
		even.insert(even.end(), found.begin(), found.end());
#endif
	}
	long sum = 0;
	for (int number : even)
		sum += number;
	return even.size() != 100 || sum != 9900;
}
