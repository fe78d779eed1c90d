/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: an object with a buffer is firstprivate, and its copy constructor copies the pointer only.
 * firstprivate copies by the copy constructor (OpenMP 5.2, 5.4.4): what it shares, the threads
 * share. The fixed class has a buffer in each copy.
 */
class scratch
{
public:
	explicit scratch(int *values) : values_(values)
	{
	}
#ifdef FIXED
	scratch(const scratch &) : values_(own_)
	{
	}
#else
	scratch(const scratch &) = default;
#endif
	int fill_and_add(int value)
	{
		int sum = 0;

		for (int i = 0; i < 8; i++)
			values_[i] = value * i; /* race: write values */
		for (int i = 0; i < 8; i++)
			sum += values_[i]; /* race: read values */
		return sum;
	}

private:
	int *values_;
#ifdef FIXED
	int own_[8] = {};
#endif
};

int main()
{
	int values[8] = {};
	scratch scratch(values);
	int sum = 0;

#pragma omp parallel for firstprivate(scratch) reduction(+ : sum)
	for (int i = 0; i < 50; i++)
		sum += scratch.fill_and_add(i);
	return sum != 28 * 1225;
}
