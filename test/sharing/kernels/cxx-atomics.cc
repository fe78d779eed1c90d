// SPDX-License-Identifier: BSD-3-Clause
//
// cxx: atomic counters, one for each thread, as elements of an array.
//
#include <atomic>
#include <omp.h>

namespace
{
constexpr int steps = 12000000, threads = 64;

#ifdef FIXED
struct alignas(64) Counter {
#else
struct Counter {
#endif
	std::atomic<long> value{0};
};

Counter counters[threads];
} // namespace

int main()
{
	long all = 0;

#pragma omp parallel for
	for (int i = 0; i < steps; i++)
		counters[omp_get_thread_num()].value++; // sharing: false counters
	for (const Counter &counter : counters)
		all += counter.value;
	return all != steps;
}
