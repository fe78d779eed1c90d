/* SPDX-License-Identifier: BSD-3-Clause */
/* index: rows are divided among the threads, and then columns. */
#include <cstdio>

namespace
{

constexpr int rows = 256, columns = 256, steps = 12;

alignas(64) double matrix[rows * columns];

} // namespace

int main()
{
	for (int step = 0; step < steps; step++) {
#pragma omp parallel for num_threads(2)
		for (int row = 0; row < rows; row++)
			for (int column = 0; column < columns; column++)
				matrix[row * columns + column] += row; /* sharing: moved matrix */
#ifdef FIXED
#pragma omp parallel for num_threads(2)
		for (int row = 0; row < rows; row++)
			for (int column = 0; column < columns; column++)
#else
#pragma omp parallel for num_threads(2)
		for (int column = 0; column < columns; column++)
			for (int row = 0; row < rows; row++)
#endif
				matrix[row * columns + column] *= 0.5; /* sharing: moved matrix */
	}
	std::printf("%g\n", matrix[rows * columns - 1]);
	return 0;
}
