// SPDX-License-Identifier: BSD-3-Clause
//
// cxx: an object for each thread from `new`, one after the other.
//
#include <omp.h>
#include <vector>

namespace
{
#ifdef FIXED
struct alignas(128) Tally {
#else
struct Tally {
#endif
	volatile long count = 0;
};
} // namespace

int main()
{
	constexpr int steps = 40000000;
	std::vector<Tally *> tallies;
	long all = 0;

	for (int i = 0; i < 64; i++)
		tallies.push_back(new Tally);
#pragma omp parallel for
	for (int i = 0; i < steps; i++)
		// Objects of 32 bytes: every second pair of neighbours shares a line.
		tallies[omp_get_thread_num() + 3 * (i % 4)]->count++; // sharing: false tallies
	for (Tally *tally : tallies) {
		all += tally->count;
		delete tally;
	}
	return all != steps;
}
