/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: a loop in a lambda; one iteration reads what its predecessor writes.
 * The fixed one reads from a copy.
 */
#include <vector>

int main()
{
	std::vector<int> series(600, 1);
	const std::vector<int> copy = series;
	int wrong = 0;

	auto sweep = [&](int count) {
#pragma omp parallel for
		for (int i = 1; i < count; i++) {
#ifdef FIXED
			int before = copy[i - 1];
#else
			int before = i == 400 ? series[i - 1] : 1; /* race: read series */
#endif
			series[i] = before; /* race: write series */
		}
	};
	sweep(600);
	for (int value : series)
		wrong += value != 1;
	return wrong != 0;
}
