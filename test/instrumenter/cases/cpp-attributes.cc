// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>

int main()
{
	int x = 0, a[4] = {0, 1, 2, 3};

	[[omp::directive(parallel num_threads(2))]]
	{
#pragma omp atomic
		x++;
	}
	[[maybe_unused]] int y = a[a[1]];
	[[omp::sequence(omp::directive(parallel num_threads(2)), omp::directive(critical))]]
	x++;
#pragma omp parallel num_threads(2)
	{
		[[using omp: directive(critical)]] x += a[1];
	}
	std::printf("%d\n", x);
	return 0;
}
