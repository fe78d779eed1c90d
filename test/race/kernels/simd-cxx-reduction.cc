// SPDX-License-Identifier: BSD-3-Clause
// simd: a vector of sums is filled by a simd loop.
// The lanes share it (OpenMP 5.2, 5.1.1). The fixed loop has a declared reduction, which gives each
// of them a vector of its own (5.5.11).
#include <vector>

using sums = std::vector<long>;

#ifdef FIXED
#pragma omp declare reduction(add:sums                                                             \
			      : [](sums & out, const sums &in){                                    \
				  for (std::size_t i = 0; i < out.size(); i++) out[i] += in[i];}(  \
				  omp_out, omp_in)) initializer(omp_priv = sums(omp_orig.size()))
#endif

int main()
{
	sums all(4);

#ifdef FIXED
#pragma omp simd reduction(add : all)
#else
#pragma omp simd
#endif
	for (int i = 0; i < 100; i++)
		all[i % 4] += i; // race: write all; race: read all
	return all[0] + all[1] + all[2] + all[3] != 4950;
}
