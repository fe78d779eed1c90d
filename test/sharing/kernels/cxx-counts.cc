// SPDX-License-Identifier: BSD-3-Clause
//
// cxx: a vector with an element for each thread.
//
#include <omp.h>
#include <vector>

int main()
{
	constexpr int length = 1 << 16, rounds = 1200;
#ifdef FIXED
	constexpr std::size_t stride = 32;
#else
	constexpr std::size_t stride = 1;
#endif
	std::vector<int> values(length), counts(64 * stride);
	long all = 0;

	for (int i = 0; i < length; i++)
		values[i] = i % 4;
#pragma omp parallel
	for (int round = 0; round < rounds; round++) {
		const std::size_t me = omp_get_thread_num() * stride;

#pragma omp for nowait
		for (int i = 0; i < length; i++) {
			if (values[i] == 3)
				counts[me]++; // sharing: false counts
		}
	}
	for (int count : counts)
		all += count;
	return all != static_cast<long>(length) / 4 * rounds;
}
