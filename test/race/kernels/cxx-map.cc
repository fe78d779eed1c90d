/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: threads look words up in a std::map by operator[].
 * operator[] inserts what is not there: it writes, even where it reads as a look-up (OpenMP 5.2,
 * 1.4.1). The fixed one uses find of the map as const, which does not.
 */
#include <map>

int main()
{
	std::map<int, int> squares;
	long sum = 0;

	for (int i = 0; i < 50; i++)
		if (i % 20 != 7)
			squares[i] = i * i;
#ifdef FIXED
	const std::map<int, int> &table = squares;
#endif
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 50; i++) {
#ifdef FIXED
		auto found = table.find(i);
		sum += found == table.end() ? 0 : found->second;
#else
		sum += squares[i]; /* race: write squares */
#endif
	}
	return sum != 40425 - 49 - 27 * 27 - 47 * 47;
}
