/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: a simd loop calls a function that keeps its last result in a static variable.
 * All lanes read and write that variable (OpenMP 5.2, 10.4). The fixed function keeps nothing.
 */
#ifndef FIXED
static int last_argument = -1, last_result;
#endif

__attribute__((noinline)) static int square(int value)
{
#ifdef FIXED
	return value * value;
#else
	if (value != last_argument) {
		last_result = value * value; /* race: write last_result */
		last_argument = value;       /* race: write last_argument */
	}
	return last_result; /* race: read last_result */
#endif
}

static int squares[80];

int main(void)
{
	int wrong = 0;

#pragma omp simd
	for (int i = 0; i < 80; i++)
		squares[i] = square(i / 2);
	for (int i = 0; i < 80; i++)
		wrong += squares[i] != (i / 2) * (i / 2);
	return wrong != 0;
}
