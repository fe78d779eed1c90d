// SPDX-License-Identifier: BSD-3-Clause
// simd: a member function writes its elements through an array of places.
// Two lanes may add to one element at once (OpenMP 5.2, 10.4). The fixed one's places differ.
#include <vector>

class bins
{
	std::vector<int> counts = std::vector<int>(32), places = std::vector<int>(64);

public:
	bins()
	{
		for (int i = 0; i < 64; i++)
#ifdef FIXED
			places[i] = i;
		counts.resize(64);
#else
			places[i] = i / 2;
#endif
	}

	void count()
	{
		int *count = counts.data();
		const int *place = places.data();
#pragma omp simd
		for (int i = 0; i < 64; i++)
			count[place[i]]++; // race: write count; race: read count
	}

	int sum() const
	{
		int result = 0;

		for (int count : counts)
			result += count;
		return result;
	}
};

int main()
{
	bins all;

	all.count();
	return all.sum() != 64;
}
