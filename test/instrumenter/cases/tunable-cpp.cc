// SPDX-License-Identifier: BSD-3-Clause
// Schedules in templates, inline functions and lambdas.
#include <cstdio>
#include <vector>

template<int Chunk> void fill(std::vector<int> &values)
{
#pragma omp parallel for schedule(static, Chunk)
	for (auto it = values.begin(); it < values.end(); ++it)
		*it += 1;
#pragma omp parallel for schedule(dynamic, 2)
	for (auto it = values.begin(); it < values.end(); ++it)
		*it += 1;
}

inline void add(std::vector<int> &values)
{
	auto step = [&] {
#pragma omp for
		for (std::size_t i = 0; i < values.size(); i++)
			values[i] += static_cast<int>(i);
	};
#pragma omp parallel
	step();
}

int main()
{
	std::vector<int> values(20);

	fill<3>(values);
	fill<5>(values);
	add(values);
	for (int value : values)
		std::printf("%d\n", value);
	return 0;
}
