// SPDX-License-Identifier: BSD-3-Clause
// Ends in the way that argv[1] names, after many parallel regions.
#include <cstdlib>
#include <cstring>
#include <thread>

static volatile int *const nowhere = nullptr;

int main(int count, char **words)
{
	const char *how = count > 1 ? words[1] : "";
	long sum = 0;

	for (int round = 0; round < 5000; round++) {
#pragma omp parallel for num_threads(2) reduction(+ : sum)
		for (int i = 0; i < 10; i++)
			sum += i;
	}
	if (std::strcmp(how, "terminate") == 0)
		throw sum;
	if (std::strcmp(how, "thread") == 0)
		std::thread([sum] { throw sum; }).join();
	if (std::strcmp(how, "abort") == 0)
		std::abort();
	if (std::strcmp(how, "memory") == 0)
		*nowhere = 1;
	return 0;
}
