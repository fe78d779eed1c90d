/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: two sections apply standard algorithms to one vector, one of them sorts it.
 * std::sort moves elements that the other section sums up (OpenMP 5.2, 11.3). The fixed one sorts
 * a copy.
 */
#include <algorithm>
#include <numeric>
#include <vector>

int main()
{
	std::vector<int> values(300);
	int sum = 0;

	for (int i = 0; i < 300; i++)
		values[i] = i * 7 % 300;
#ifdef FIXED
	std::vector<int> sorted = values;
#else
	std::vector<int> &sorted = values;
#endif
#pragma omp parallel sections
	{
		std::sort(sorted.begin(), sorted.end()); /* race: write values */
#pragma omp section
		sum = std::accumulate(values.begin(), values.end(), 0); /* race: read values */
	}
	return sum != 44850 || !std::is_sorted(sorted.begin(), sorted.end());
}
