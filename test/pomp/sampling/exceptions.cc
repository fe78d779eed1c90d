// SPDX-License-Identifier: BSD-3-Clause
// Exceptions in flight while samples come, in two threads: 42 if all are caught where they should
// be.
#include <cstdio>
#include <stdexcept>
#include <string>

struct counted {
	int &count;
	~counted()
	{
		count++;
	}
};

__attribute__((noinline)) static int thrower(int depth, int &destroyed)
{
	counted here{destroyed};

	if (depth == 0)
		throw std::runtime_error("deep");
	return thrower(depth - 1, destroyed) + 1;
}

int main()
{
	long caught = 0, destroyed = 0;

#pragma omp parallel for num_threads(2) reduction(+ : caught, destroyed)
	for (int i = 0; i < 60000; i++) {
		int here = 0;
		try {
			thrower(i % 20, here);
		} catch (const std::exception &error) {
			caught += error.what() == std::string("deep");
		}
		destroyed += here;
	}
	std::printf("%ld %ld\n", caught, destroyed);
	return caught == 60000 && destroyed == 630000 ? 42 : 1;
}
