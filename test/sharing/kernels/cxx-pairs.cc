// SPDX-License-Identifier: BSD-3-Clause
//
// cxx: a std::pair for each thread in a std::array.
//
#include <array>
#include <omp.h>
#include <utility>

namespace
{
#ifdef FIXED
struct alignas(64) Sums : std::pair<double, double> {
};
#else
using Sums = std::pair<double, double>;
#endif

std::array<Sums, 64> sums;

void add(Sums &to, float x)
{
	if (x > 0) {
		to.first += x;      // sharing: false sums
		to.second += x * x; // sharing: false sums
	}
}
} // namespace

int main()
{
	constexpr int length = 1 << 15;
	static float values[length];
	double all = 0;

	for (int i = 0; i < length; i++)
		values[i] = i % 2 ? 1.0F : -1.0F;
#pragma omp parallel
	for (int round = 0; round < 800; round++) {
#pragma omp for nowait
		for (int i = 0; i < length; i++)
			add(sums[omp_get_thread_num()], values[i]);
	}
	for (const Sums &sum : sums)
		all += sum.second;
	return all != 800.0 * length / 2;
}
