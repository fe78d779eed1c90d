/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: a function object with a state is passed by reference to an algorithm of all threads.
 * Its call operator changes the state (OpenMP 5.2, 5.1.2). The fixed one passes it by value: a
 * copy for each call of the algorithm.
 */
#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

struct counting {
	int calls = 0;

	int operator()(int sum, int value)
	{
		calls++; /* race: write calls */
		return sum + value;
	}
};

int main()
{
	std::vector<int> values(100, 1);
	counting add;
	int sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 20; i++) {
#ifdef FIXED
		sum += std::accumulate(values.begin(), values.end(), 0, add);
#else
		sum += std::accumulate(values.begin(), values.end(), 0, std::ref(add));
#endif
	}
	return sum != 2000;
}
