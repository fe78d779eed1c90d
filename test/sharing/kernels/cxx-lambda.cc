// SPDX-License-Identifier: BSD-3-Clause
//
// cxx: two tasks count in variables of the function that made them, which lambdas hold by
// reference.
//
namespace
{
struct Counts {
	volatile long first = 0;
#ifdef FIXED
	char apart[128] = {};
#endif
	volatile long second = 0;
};
} // namespace

int main()
{
	constexpr int steps = 40000000;
	alignas(64) Counts counts;
	auto first = [&counts] {
		for (int i = 0; i < steps; i++)
			counts.first++; // sharing: false counts
	};
	auto second = [&counts] {
		for (int i = 0; i < steps; i++)
			counts.second++; // sharing: false counts
	};

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task shared(first)
		first();
#pragma omp task shared(second)
		second();
	}
	return counts.first != counts.second;
}
