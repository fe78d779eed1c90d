/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: a loop in a function template; one iteration also writes its successor's element.
 * The fixed one writes its own only.
 */
#include <cstddef>
#include <vector>

template <typename Value> static void fill(std::vector<Value> &to, std::size_t count, Value value)
{
#pragma omp parallel for
	for (std::size_t i = 0; i < count; i++) {
		to[i] = value; /* race: write to */
#ifndef FIXED
		if (i == 321)
			to[i + 1] = value; /* race: write to */
#endif
	}
}

int main()
{
	std::vector<int> numbers(701);
	std::vector<double> values(701);
	int wrong = 0;

	fill(numbers, 700, 3);
	fill(values, 700, 1.5);
	for (int i = 0; i < 700; i++)
		wrong += numbers[i] != 3 || values[i] != 1.5;
	return wrong != 0;
}
