// SPDX-License-Identifier: BSD-3-Clause
// simd: a loop in a lambda shifts an array that the lambda captures.
// An iteration reads what the one before it writes (OpenMP 5.2, 10.4). The fixed one reads a copy.
static int values[65], copy[65];

int main()
{
	for (int i = 0; i < 65; i++)
		values[i] = copy[i] = i;
	auto shift = [&](int count) {
#pragma omp simd
		for (int i = 0; i < count; i++)
#ifdef FIXED
			values[i + 1] = copy[i];
#else
			values[i + 1] = values[i]; // race: write values; race: read values
#endif
	};
	shift(64);
#ifdef FIXED
	return values[64] != 63;
#else
	return values[64] != 0;
#endif
}
