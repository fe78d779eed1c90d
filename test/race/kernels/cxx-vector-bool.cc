/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: the iterations of a loop set neighbouring elements of a std::vector<bool>.
 * Its elements are bits of one word, so that writing one writes its neighbours as well (OpenMP 5.2,
 * 1.4.1). The fixed one has a vector of char, whose elements are memory locations of their own.
 */
#include <vector>

#ifdef FIXED
using flags = std::vector<char>;
#else
using flags = std::vector<bool>;
#endif

int main()
{
	flags is_square(1000);
	int count = 0;

#pragma omp parallel for schedule(static, 5)
	for (int i = 0; i < 1000; i++) {
		int root = 0;

		while (root * root < i)
			root++;
		is_square[i] = root * root == i; /* race: write is_square */
	}
	for (int i = 0; i < 1000; i++)
		count += is_square[i];
	return count != 32;
}
