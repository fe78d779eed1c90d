// SPDX-License-Identifier: BSD-3-Clause
//
// cxx: a vector of bytes that say which items are visited, of which threads take every second one.
//
#include <vector>

int main()
{
	constexpr int items = 2048, walks = 9600;
	std::vector<unsigned char> visited(items);
	int all = 0;

#pragma omp parallel
	for (int walk = 0; walk < walks; walk++) {
#ifdef FIXED
#pragma omp for schedule(static) nowait
#else
#pragma omp for schedule(static, 1) nowait
#endif
		for (int item = 0; item < items; item++)
			visited[item] ^= 1; // sharing: false visited
	}
	for (unsigned char of : visited)
		all += of;
	return all != 0;
}
