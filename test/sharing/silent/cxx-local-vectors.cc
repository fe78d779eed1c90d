// SPDX-License-Identifier: BSD-3-Clause
//
// silent: each thread has a vector of its own, which it has made itself, and they are joined at the
// end.
#include <vector>

int main()
{
	std::vector<int> all;

#pragma omp parallel
	{
		std::vector<int> mine;

#pragma omp for nowait
		for (int i = 0; i < 1000000; i++) {
			if (i % 3 == 0)
				mine.push_back(i);
		}
#pragma omp critical
		all.insert(all.end(), mine.begin(), mine.end());
	}
	return all.size() != 333334;
}
