// SPDX-License-Identifier: BSD-3-Clause
// simd: a simd loop calls a lambda that has captured a counter by reference.
// All lanes count in it (OpenMP 5.2, 10.4). The fixed lambda returns a value, which the loop
// reduces.
int main()
{
	int values[120], count = 0;

	for (int i = 0; i < 120; i++)
		values[i] = i % 6;
#ifdef FIXED
	auto is_large = [](int value) { return value > 3; };
#pragma omp simd reduction(+ : count)
	for (int i = 0; i < 120; i++)
		count += is_large(values[i]);
#else
	auto note = [&count](int value) {
		if (value > 3)
			count++; // race: write count; race: read count
	};
#pragma omp simd
	for (int i = 0; i < 120; i++)
		note(values[i]);
#endif
	return count != 40;
}
