// SPDX-License-Identifier: BSD-3-Clause
// new: an array of new, which std::fill() of one thread fills.
#include <algorithm>
#include <cstdio>
#include <memory>

int main()
{
	const int n = 1 << 17;
	std::unique_ptr<float[]> heights(new float[n]);

#ifdef FIXED
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < n; i++)
		heights[i] = 1.5f;
#else
	std::fill(heights.get(), heights.get() + n, 1.5f); // touched: heights
#endif
	for (int step = 0; step < 6; step++) {
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < n; i++)
			heights[i] += 0.25f * step; // sharing: first heights
	}
	std::printf("%g\n", heights[n - 1]);
	return 0;
}
