/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: values go to places that an array gives, and two values go to one place.
 * Which of them remains is open, as lanes write both at once (OpenMP 5.2, 10.4). The fixed loop's
 * places are a permutation.
 */
enum { N = 200 };

static int target[N], out[N];

int main(void)
{
	int sum = 0;

	for (int i = 0; i < N; i++)
		target[i] = (i * 7) % N;
#ifndef FIXED
	target[83] = target[82];
#endif
#pragma omp simd
	for (int i = 0; i < N; i++)
		out[target[i]] = i; /* race: write out */
	for (int i = 0; i < N; i++)
		sum += out[i];
#ifdef FIXED
	return sum != N * (N - 1) / 2;
#else
	return sum != N * (N - 1) / 2 - 82;
#endif
}
