/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: an inscan-like carry over the lanes, through a variable that lives outside of the loop.
 * Each iteration needs the carry of the one before it, which another lane computes at once
 * (OpenMP 5.2, 10.4). The fixed loop is an ordinary one for the carry, and simd for the rest.
 */
static int digits[64], sums[64];

int main(void)
{
	int carry = 0;
	int wrong = 0;

	for (int i = 0; i < 64; i++)
		digits[i] = i % 10 + 8;
#ifdef FIXED
	for (int i = 0; i < 64; i++) {
		carry = (digits[i] + carry) / 10;
		sums[i] = carry;
	}
#pragma omp simd
	for (int i = 0; i < 64; i++)
		sums[i] = 2 * sums[i];
#else
#pragma omp simd
	for (int i = 0; i < 64; i++) {
		carry = (digits[i] + carry) / 10; /* race: write carry */ /* race: read carry */
		sums[i] = 2 * carry;
	}
#endif
	for (int i = 0, expected = 0; i < 64; i++) {
		expected = (digits[i] + expected) / 10;
		wrong += sums[i] != 2 * expected;
	}
	return wrong != 0;
}
