// SPDX-License-Identifier: BSD-3-Clause
// simd: a lambda runs a simd loop over what it has captured by reference.
// Its lanes share the captured maximum (OpenMP 5.2, 5.1.1). The fixed one reduces it.
#include <vector>

int main()
{
	std::vector<int> values(150);
	int largest = 0;

	for (int i = 0; i < 150; i++)
		values[i] = i * 31 % 150;
	auto find = [&] {
		int found = 0;
#ifdef FIXED
#pragma omp simd reduction(max : found)
#else
#pragma omp simd
#endif
		for (int i = 0; i < 150; i++)
			if (values[i] > found)
				found = values[i]; // race: write found
		largest = found;
	};
	find();
	return largest != 149;
}
