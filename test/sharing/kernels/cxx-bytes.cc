// SPDX-License-Identifier: BSD-3-Clause
//
// cxx: a vector of bytes that say which items are visited, of which threads take every second one.
// It begins at a line, so that halves of it share none.
//
#include <vector>

struct alignas(64) marks {
	unsigned char of[64];
};

int main()
{
	constexpr int items = 2048, walks = 9600;
	std::vector<marks> visited(items / 64);
	int all = 0;

#pragma omp parallel
	for (int walk = 0; walk < walks; walk++) {
#ifdef FIXED
#pragma omp for schedule(static) nowait
#else
#pragma omp for schedule(static, 1) nowait
#endif
		for (int item = 0; item < items; item++)
			visited[item / 64].of[item % 64] ^= 1; // sharing: false visited
	}
	for (const marks &some : visited)
		for (unsigned char mark : some.of)
			all += mark;
	return all != 0;
}
