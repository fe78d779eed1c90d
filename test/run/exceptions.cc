// SPDX-License-Identifier: BSD-3-Clause
// Exceptions inside of constructs: caught where OpenMP wants it, thrown through calls and user
// regions.

// ompinst: --functions
#include <cstdio>
#include <stdexcept>
#include <vector>

static int depth(int n)
{
	if (n == 0)
		throw std::runtime_error("deep");
	return depth(n - 1) + 1;
}

template <typename Body> static int each(int n, Body body)
{
	int caught = 0;

#pragma omp parallel for reduction(+ : caught) schedule(dynamic)
	for (int i = 0; i < n; i++) {
#pragma omp critical
		try {
			body(i);
		} catch (const std::runtime_error &) {
			caught++;
		}
	}
	return caught;
}

static int regions(int n)
{
	for (int i = 0;; i++) {
#pragma pomp inst begin(step)
		if (i == n)
			return i;
		if (i % 2)
			continue;
		try {
#pragma pomp inst begin(inner)
			depth(i);
#pragma pomp inst end(inner)
		} catch (const std::exception &) {
			if (i == 8)
				break;
		}
#pragma pomp inst end(step)
	}
	return -1;
}

int main()
{
	int caught = 0;

	std::printf("%d\n", each(20, [](int i) {
		if (i % 3 == 0)
			depth(i);
	}));
#pragma omp parallel num_threads(4)
#pragma omp single
	for (int i = 0; i < 8; i++) {
#pragma omp task shared(caught) firstprivate(i)
		try {
			std::vector<int> values(static_cast<std::size_t>(i));
			values.at(4) = depth(0);
		} catch (...) {
#pragma omp atomic
			caught++;
		}
	}
	std::printf("%d %d %d\n", caught, regions(5), regions(10));
}
