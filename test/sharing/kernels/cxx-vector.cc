/* SPDX-License-Identifier: BSD-3-Clause */
/* C++: each thread adds to its element of a vector. */
#include <cstdio>
#include <omp.h>
#include <vector>

struct tally {
#ifdef FIXED
	alignas(64)
#endif
	    long hits = 0;
	long misses = 0;
};

int main(int argc, char **)
{
	const long steps = 1000000;
	std::vector<tally> tallies(2);

#pragma omp parallel num_threads(2)
	{
		tally &own = tallies[omp_get_thread_num()];
		for (long i = 0; i < steps; i++)
			if (((i ^ argc) & 3) == 0)
				own.hits++; // sharing: false own
			else
				own.misses++; // sharing: false own
	}
	std::printf("%ld\n", tallies[0].hits + tallies[1].misses);
	return 0;
}
