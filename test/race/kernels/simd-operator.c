/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: each iteration needs the one before, in a loop whose directive is in _Pragma.
 * In the fixed program an ordered region, in _Pragma, too, has both accesses.
 */
enum { LENGTH = 300 };
static int sums[LENGTH];

int main(void)
{
#ifdef FIXED
	_Pragma("omp simd") for (int i = 1; i < LENGTH; i++)
	{
		_Pragma("omp ordered simd") sums[i] = sums[i - 1] + 1;
	}
#else
	_Pragma("omp simd") for (int i = 1; i < LENGTH; i++) // race: read sums
	{
		sums[i] = sums[i - 1] + 1; /* race: write sums; race: read sums */
	}
#endif
	return sums[LENGTH - 1] != LENGTH - 1;
}
