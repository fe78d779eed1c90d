// SPDX-License-Identifier: BSD-3-Clause
// simd: a function template shifts an array in place.
// With safelen(4) up to four iterations are concurrent, and one reads what the second before it
// writes (OpenMP 5.2, 10.4). The fixed loop's distance is the one that safelen allows.
#ifdef FIXED
enum { DISTANCE = 4 };
#else
enum { DISTANCE = 2 };
#endif

template <typename number> void shift(number *values, int count)
{
#pragma omp simd safelen(4)
	for (int i = 0; i < count; i++)
		values[i + DISTANCE] = values[i]; // race: write values; race: read values
}

int main()
{
	int values[64 + DISTANCE];

	for (int i = 0; i < 64 + DISTANCE; i++)
		values[i] = i;
	shift(values, 64);
	return values[63 + DISTANCE] != 63 % DISTANCE;
}
