/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: a worksharing loop over iterators reads the element before that of the iteration.
 * An iterator's neighbour belongs to another iteration, which may be executed by another thread
 * (OpenMP 5.2, 11.5). The fixed loop reads from a copy of the vector.
 */
#include <vector>

int main()
{
	std::vector<int> series(500);
	int wrong = 0;

	for (int i = 0; i < 500; i++)
		series[i] = i * i;
#ifdef FIXED
	const std::vector<int> source = series;
#else
	const std::vector<int> &source = series;
#endif
#pragma omp parallel for
	for (auto at = series.begin() + 1; at < series.end(); ++at) {
		int before = source[at - series.begin() - 1]; /* race: read series */
		*at -= before;                                /* race: write series */
	}
	for (int i = 1; i < 500; i++)
		wrong += series[i] != 2 * i - 1;
	return wrong != 0;
}
