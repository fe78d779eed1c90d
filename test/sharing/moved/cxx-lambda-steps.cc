/* SPDX-License-Identifier: BSD-3-Clause */
/* schedules: the loops call a function object, which is in no construct itself. */
#include <cstdio>
#include <vector>

namespace
{

constexpr int count = 1 << 16, steps = 12;

#ifdef FIXED
#define CHUNKS schedule(static)
#else
#define CHUNKS schedule(static, 512)
#endif

} // namespace

int main()
{
	std::vector<double> field(count);
	const auto advance = [&field](int i) {
		field[i] += 0.5 * i; /* sharing: moved field */
	};

	for (int step = 0; step < steps; step++) {
#pragma omp parallel for CHUNKS num_threads(2)
		for (int i = 0; i < count; i++)
			advance(i);
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < count; i++)
			advance(i);
	}
	std::printf("%g\n", field[count - 1]);
	return 0;
}
